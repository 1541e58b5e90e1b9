"""TensorFlow's checkpoints (`tf.train.Checkpoint`, TF1's Saver) and SavedModel exports."""
