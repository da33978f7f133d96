import keras
import pytest

from keras_transformer.training import precision
from keras_transformer.training.precision import dtype_policy, has_bfloat16, warn_if_emulated


def test_the_policy_applies_to_layers_created_in_the_context():
    with dtype_policy("mixed_bfloat16"):
        inside = keras.layers.Dense(2)
        with pytest.raises(ZeroDivisionError), dtype_policy("float16"):
            raise ZeroDivisionError
        assert keras.config.dtype_policy().name == "mixed_bfloat16"
    assert (inside.compute_dtype, inside.variable_dtype) == ("bfloat16", "float32")
    assert keras.layers.Dense(2).compute_dtype == "float32"


@pytest.mark.parametrize(
    ("flags", "warned"),
    [("flags : avx512f bf16x", True), ("flags : fma amx_bf16 avx", False), ("avx512_bf16", False)],
)
def test_a_cpu_without_bfloat16_causes_a_warning(tmp_path, monkeypatch, caplog, flags, warned):
    (tmp_path / "cpuinfo").write_text(flags)
    monkeypatch.setattr(precision, "CPU_INFO", tmp_path / "cpuinfo")
    warn_if_emulated("float32")
    assert caplog.text == ""
    warn_if_emulated("bfloat16")
    assert ("no bfloat16" in caplog.text) == warned
    assert has_bfloat16() is not warned


def test_there_is_no_warning_if_the_cpu_is_unknown(tmp_path, monkeypatch, caplog):
    monkeypatch.setattr(precision, "CPU_INFO", tmp_path / "none")
    warn_if_emulated("bfloat16")
    assert caplog.text == ""
    assert has_bfloat16() is None


def test_float16_on_a_cpu_causes_a_warning(caplog):
    warn_if_emulated("float16")
    assert "no float16" in caplog.text
