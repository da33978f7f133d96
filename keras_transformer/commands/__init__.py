"""The commands of `keras-transformer`. Only this package mentions flags."""

# {name of a command and of its module: description}
COMMANDS = {
    "train": "train a translator, or resume its training",
    "translate": "translate text with a trained translator or a server",
    "evaluate": "measure the quality and throughput of a translator on a test set",
    "average": "average the newest checkpoints of a run",
    "datastore": "make the datastore of nearest neighbors of a run",
    "draw": "draw pictures of a translator and of how it works",
    "export": "export a translator for TensorFlow Serving, CTranslate2 or a browser",
}
