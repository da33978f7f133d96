"""The training loop: steps, epochs, validation, and a run directory that can be gone on with."""

import math
import signal
import sys
import time
from contextlib import contextmanager
from dataclasses import dataclass

import keras
import tensorflow as tf
from tqdm import tqdm

from keras_transformer.checkpoints import BEST, latest_checkpoint, make_checkpoint, named_variables, restore
from keras_transformer.text.batches import EncodedPairs, make_batches
from keras_transformer.training.losses import correct_tokens, real_tokens, token_losses
from keras_transformer.training.schedule import CustomSchedule
from keras_transformer.translation.evaluation import bleu
from keras_transformer.translation.translator import Translator
