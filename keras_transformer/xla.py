"""XLA, TensorFlow's compiler."""

import os

# Single sentences are 1.04 times (beam 5) and 1.28 times (greedy) as fast: benchmarks/README.md.
FLAGS = (
    # By default, XLA uses more memory so that several threads can run kernels side by side.
    "--xla_cpu_enable_concurrency_optimized_scheduler=false",
    # This pass divides a sum of more than 32 numbers between two kernels. Starting the second one
    # takes longer than it saves.
    "--xla_disable_hlo_passes=tree_reduction_rewriter",
)


def compile_for_one_thread() -> None:
    """Let XLA compile functions for one thread, except for flags that XLA_FLAGS already contains.

    The setting has no effect once XLA has compiled a function, or if XLA_FLAGS names a file.
    """
    given = os.environ.get("XLA_FLAGS", "").split()
    if given and not given[0].startswith("-"):  # XLA reads the flags from a file of this name
        return
    names = {flag.partition("=")[0] for flag in given}
    added = [flag for flag in FLAGS if flag.partition("=")[0] not in names]
    os.environ["XLA_FLAGS"] = " ".join([*given, *added])
