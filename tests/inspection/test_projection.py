import numpy as np
import pytest
from sklearn.decomposition import PCA

from keras_transformer.inspection.projection import principal_components

SCALES = np.array([5.0, 3.0, 1.0, 0.5, 0.25, 0.1])


def points_of(count, seed=0):
    """Points in six dimensions, with a different variance along each of six random directions."""
    random = np.random.default_rng(seed)
    rotation, _ = np.linalg.qr(random.normal(size=(6, 6)))
    return random.normal(size=(count, 6)) * SCALES @ rotation + random.normal(size=6)


@pytest.mark.parametrize("count", [1, 2, 6])
def test_coordinates_are_those_of_numpys_singular_value_decomposition(count):
    points = points_of(40)
    left, scales, right = np.linalg.svd(points - points.mean(axis=0), full_matrices=False)
    projection = principal_components(points, count)
    signs = np.sign((projection.components * right[:count]).sum(axis=1))
    np.testing.assert_allclose(projection.components, right[:count] * signs[:, None], atol=1e-12)
    expected = left[:, :count] * scales[:count] * signs
    np.testing.assert_allclose(projection.coordinates, expected, atol=1e-12)
    np.testing.assert_allclose(projection.explained, scales[:count] ** 2 / (scales**2).sum())


def test_the_components_are_eigenvectors_of_the_covariance_matrix():
    points = points_of(40)
    covariance, projection = np.cov(points.T), principal_components(points, 3)
    for component, share in zip(projection.components, projection.explained, strict=True):
        expected = share * np.trace(covariance) * component
        np.testing.assert_allclose(covariance @ component, expected, atol=1e-12)


def test_further_points_are_projected_as_scikit_learn_projects_them():
    points, others = points_of(40), points_of(7, seed=1)
    projection, reference = principal_components(points, 2), PCA(2).fit(points)
    signs = np.sign((projection.components * reference.components_).sum(axis=1))
    np.testing.assert_allclose(projection.project(others), reference.transform(others) * signs)
    np.testing.assert_allclose(projection.project(points), projection.coordinates)
    np.testing.assert_allclose(projection.mean, reference.mean_)
    np.testing.assert_allclose(projection.explained, reference.explained_variance_ratio_)


def test_the_sign_does_not_depend_on_the_order_of_the_points():
    points = points_of(40)
    projection, reverse = principal_components(points), principal_components(points[::-1])
    np.testing.assert_allclose(projection.coordinates, reverse.coordinates[::-1])
    largest = np.abs(projection.components).argmax(axis=1)
    assert (np.take_along_axis(projection.components, largest[:, None], axis=1) > 0).all()


@pytest.mark.parametrize("points", [np.ones((1, 6)), np.ones((5, 6))])
def test_points_without_variance_are_at_the_origin(points):
    projection = principal_components(points, 2)
    np.testing.assert_array_equal(projection.coordinates, np.zeros((len(points), 2)))
    np.testing.assert_array_equal(projection.explained, [0, 0])


def test_there_may_be_fewer_points_than_components():
    projection = principal_components(points_of(2), 3)
    np.testing.assert_allclose(projection.explained, [1, 0, 0], atol=1e-12)
    np.testing.assert_allclose(
        projection.components @ projection.components.T, np.eye(3), atol=1e-12
    )


def test_coordinates_are_computed_in_double_precision():
    points = points_of(40)
    projection = principal_components(points.astype(np.float32))
    assert projection.coordinates.dtype == np.float64
    np.testing.assert_allclose(projection.coordinates, principal_components(points)[0], atol=1e-5)


@pytest.mark.parametrize(
    ("shape", "count"), [((3,), 1), ((0, 4), 1), ((3, 4), 0), ((3, 4), 5), ((2, 3, 4), 1)]
)
def test_invalid_shapes_and_counts_are_errors(shape, count):
    with pytest.raises(ValueError, match=f"have no {count} principal components"):
        principal_components(np.ones(shape), count)
