/* Runs one signature of a SavedModel without Python: by the loader that TensorFlow Serving uses.

   run_saved_model DIR LIBRARIES INPUT[,INPUT...] OUTPUT[,OUTPUT...]

   DIR        a version directory of an export
   LIBRARIES  libraries of further operations, divided by colons, or ""
   INPUT      a tensor that is fed, such as serving_default_source:0
   OUTPUT     a tensor that is asked for, such as StatefulPartitionedCall:0

   Each request is one line of standard input for each INPUT. Its fields, divided by tabs, are the
   rows of the batch: a string, or numbers divided by spaces, all rows of one length. Each answer
   is one line for each OUTPUT, in the same form. The time that each request took, in
   microseconds, is a line of standard error; the first line is the time of loading. */

#define _GNU_SOURCE
#include "saved_model.h"

/* The next line of standard input, without its line feed; NULL at the end. */
static char *next_line(void) {
  static char *line = NULL;
  static size_t room = 0;
  if (getline(&line, &room, stdin) < 0) return NULL;
  line[strcspn(line, "\n")] = '\0';
  return line;
}

static void answer(const Model *model, TF_Tensor **given) {
  TF_Tensor *found[MAX_TENSORS];
  long begin = microseconds();
  run_model(model, given, found);
  fprintf(stderr, "%ld\n", microseconds() - begin);
  for (int i = 0; i < model->num_outputs; ++i) {
    print_tensor(stdout, found[i]);
    putchar('\n');
    TF_DeleteTensor(found[i]);
  }
  fflush(stdout);
}

int main(int argc, char **argv) {
  if (argc != 5) fail("arguments", "DIR LIBRARIES INPUTS OUTPUTS");
  load_libraries(argv[2]);
  long begin = microseconds();
  Model model = load_model(argv[1], argv[3], argv[4]);
  fprintf(stderr, "%ld\n", microseconds() - begin);
  for (char *line; (line = next_line()) != NULL;) {
    TF_Tensor *given[MAX_TENSORS];
    for (int i = 0; i < model.num_inputs; ++i) {
      if (i > 0 && (line = next_line()) == NULL) fail("standard input", "half a request");
      given[i] = tensor_for(model.inputs[i], line);
    }
    answer(&model, given);
    for (int i = 0; i < model.num_inputs; ++i) free_tensor(given[i]);
  }
  free_model(&model);
  return 0;
}
