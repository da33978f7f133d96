"""The dtype policy that a layer passes on to its sublayers."""

from typing import TypeAlias

import keras

Dtype: TypeAlias = str | keras.dtype_policies.DTypePolicyMap | None  # an argument `dtype` of Keras


def sublayer_dtype(layer: keras.Layer) -> Dtype:
    """Return the argument `dtype` of the sublayers of a layer.

    This is the name of the layer's policy, because Keras can derive the config of a sublayer from
    strings, but not from policies. A map, from paths of layers to policies, has no such name. A
    layer gets its path when it is built, so layers without weights must be built as well.
    """
    policy = layer.dtype_policy
    return policy if isinstance(policy, keras.dtype_policies.DTypePolicyMap) else policy.name
