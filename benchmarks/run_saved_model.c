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
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "tensorflow/c/c_api.h"
#include "tensorflow/c/tf_tstring.h"

enum { MOST_TENSORS = 8 };

static void fail(const char *what, const char *why) {
  fprintf(stderr, "error: %s: %s\n", what, why);
  exit(1);
}

static void check(const char *what, TF_Status *status) {
  if (TF_GetCode(status) != TF_OK) fail(what, TF_Message(status));
}

static long microseconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * 1000000L + now.tv_nsec / 1000;
}

static void load_libraries(char *paths, TF_Status *status) {
  for (char *path = strtok(paths, ":"); path != NULL; path = strtok(NULL, ":")) {
    TF_LoadLibrary(path, status);
    check(path, status);
  }
}

/* "name:index,name:index" -> the tensors of the graph; returns how many. */
static int find_tensors(TF_Graph *graph, char *names, TF_Output *tensors) {
  int count = 0;
  for (char *name = strtok(names, ","); name != NULL; name = strtok(NULL, ",")) {
    char *colon = strrchr(name, ':');
    if (colon == NULL || count == MOST_TENSORS) fail(name, "not NAME:INDEX, or too many");
    *colon = '\0';
    tensors[count].oper = TF_GraphOperationByName(graph, name);
    tensors[count].index = atoi(colon + 1);
    if (tensors[count].oper == NULL) fail(name, "no such operation");
    ++count;
  }
  return count;
}

static int64_t count_of(const char *text, char separator) {
  int64_t count = 1;
  for (; *text != '\0'; ++text) count += *text == separator;
  return count;
}

static TF_Tensor *string_tensor(char *line) {
  int64_t rows = count_of(line, '\t');
  TF_Tensor *tensor = TF_AllocateTensor(TF_STRING, &rows, 1, rows * sizeof(TF_TString));
  TF_TString *strings = TF_TensorData(tensor);
  for (int64_t row = 0; row < rows; ++row) {
    char *field = strsep(&line, "\t");
    TF_StringInit(&strings[row]);
    TF_StringCopy(&strings[row], field, strlen(field));
  }
  return tensor;
}

static TF_Tensor *int_tensor(char *line) {
  int64_t rows = count_of(line, '\t');
  int64_t columns = (count_of(line, ' ') + rows - 1) / rows;
  int64_t shape[] = {rows, columns};
  TF_Tensor *tensor = TF_AllocateTensor(TF_INT32, shape, 2, rows * columns * sizeof(int32_t));
  int32_t *numbers = TF_TensorData(tensor);
  for (int64_t i = 0; i < rows * columns; ++i) numbers[i] = strtol(line, &line, 10);
  return tensor;
}

static void print_element(const TF_Tensor *tensor, int64_t i) {
  const void *data = TF_TensorData(tensor);
  switch (TF_TensorType(tensor)) {
    case TF_STRING: {
      const TF_TString *text = (const TF_TString *)data + i;
      fwrite(TF_StringGetDataPointer(text), 1, TF_StringGetSize(text), stdout);
      break;
    }
    case TF_INT32: printf("%d", ((const int32_t *)data)[i]); break;
    case TF_FLOAT: printf("%.6g", ((const float *)data)[i]); break;
    default: fail("output", "of a type that is not printed");
  }
}

static void print_tensor(const TF_Tensor *tensor) {
  int64_t rows = TF_Dim(tensor, 0), elements = TF_TensorElementCount(tensor);
  for (int64_t i = 0; i < elements; ++i) {
    if (i > 0) putchar(i % (elements / rows) == 0 ? '\t' : ' ');
    print_element(tensor, i);
  }
  putchar('\n');
}

static void free_tensor(TF_Tensor *tensor) {
  if (TF_TensorType(tensor) == TF_STRING) {
    TF_TString *strings = TF_TensorData(tensor);
    for (int64_t i = 0; i < TF_TensorElementCount(tensor); ++i) TF_StringDealloc(&strings[i]);
  }
  TF_DeleteTensor(tensor);
}

static TF_Tensor *read_tensor(TF_Output input, char *line) {
  line[strcspn(line, "\n")] = '\0';
  return TF_OperationOutputType(input) == TF_STRING ? string_tensor(line) : int_tensor(line);
}

int main(int argc, char **argv) {
  if (argc != 5) fail("arguments", "DIR LIBRARIES INPUTS OUTPUTS");
  TF_Status *status = TF_NewStatus();
  load_libraries(argv[2], status);

  long begin = microseconds();
  TF_Graph *graph = TF_NewGraph();
  TF_SessionOptions *options = TF_NewSessionOptions();
  const char *tags[] = {"serve"};
  TF_Session *session =
      TF_LoadSessionFromSavedModel(options, NULL, argv[1], tags, 1, graph, NULL, status);
  check(argv[1], status);
  long load_time = microseconds() - begin;

  TF_Output inputs[MOST_TENSORS], outputs[MOST_TENSORS];
  int num_inputs = find_tensors(graph, argv[3], inputs);
  int num_outputs = find_tensors(graph, argv[4], outputs);
  fprintf(stderr, "%ld\n", load_time);

  char *line = NULL;
  size_t room = 0;
  while (getline(&line, &room, stdin) >= 0) {
    TF_Tensor *given[MOST_TENSORS], *found[MOST_TENSORS];
    for (int i = 0; i < num_inputs; ++i) {
      if (i > 0 && getline(&line, &room, stdin) < 0) fail("standard input", "half a request");
      given[i] = read_tensor(inputs[i], line);
    }
    begin = microseconds();
    TF_SessionRun(session, NULL, inputs, given, num_inputs, outputs, found, num_outputs, NULL, 0,
                  NULL, status);
    check("request", status);
    fprintf(stderr, "%ld\n", microseconds() - begin);
    for (int i = 0; i < num_inputs; ++i) free_tensor(given[i]);
    for (int i = 0; i < num_outputs; ++i) {
      print_tensor(found[i]);
      TF_DeleteTensor(found[i]);
    }
    fflush(stdout);
  }
  free(line);
  TF_CloseSession(session, status);
  TF_DeleteSession(session, status);
  TF_DeleteSessionOptions(options);
  TF_DeleteGraph(graph);
  TF_DeleteStatus(status);
  return 0;
}
