"""A small batch of ids, of a vocabulary of 23; 21 is the start and 22 the end."""

import tensorflow as tf

SOURCE = tf.constant([[21, 3, 4, 22, 0], [21, 3, 4, 5, 22]])
TARGET = tf.constant([[21, 7, 8, 9], [21, 6, 5, 4]])
