/* What the C programs share: a SavedModel as TensorFlow Serving loads it, and tensors of strings. */

#ifndef SAVED_MODEL_H
#define SAVED_MODEL_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "tensorflow/c/c_api.h"
#include "tensorflow/c/tf_tstring.h"

enum { MAX_TENSORS = 8 };

typedef struct {
  TF_Graph *graph;
  TF_Session *session;
  TF_Output inputs[MAX_TENSORS], outputs[MAX_TENSORS];
  int num_inputs, num_outputs;
} Model;

static inline void fail(const char *what, const char *why) {
  fprintf(stderr, "error: %s: %s\n", what, why);
  exit(1);
}

static inline void check(const char *what, TF_Status *status) {
  if (TF_GetCode(status) != TF_OK) fail(what, TF_Message(status));
}

static inline long microseconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * 1000000L + now.tv_nsec / 1000;
}

/* Paths, divided by colons. */
static inline void load_libraries(const char *paths) {
  TF_Status *status = TF_NewStatus();
  char *copy = strdup(paths), *rest = copy;
  for (char *path; (path = strsep(&rest, ":")) != NULL;) {
    if (*path == '\0') continue;
    TF_LoadLibrary(path, status);
    check(path, status);
  }
  free(copy);
  TF_DeleteStatus(status);
}

/* "name:index,name:index" -> the tensors of the graph; returns how many. */
static inline int find_tensors(TF_Graph *graph, const char *names, TF_Output *tensors) {
  int count = 0;
  char *copy = strdup(names), *rest = copy;
  for (char *name; (name = strsep(&rest, ",")) != NULL; ++count) {
    char *colon = strrchr(name, ':');
    if (colon == NULL || count == MAX_TENSORS) fail(name, "not NAME:INDEX, or too many");
    *colon = '\0';
    tensors[count].oper = TF_GraphOperationByName(graph, name);
    tensors[count].index = atoi(colon + 1);
    if (tensors[count].oper == NULL) fail(name, "no such operation");
  }
  free(copy);
  return count;
}

static inline Model load_model(const char *directory, const char *inputs, const char *outputs) {
  Model model = {.graph = TF_NewGraph()};
  TF_Status *status = TF_NewStatus();
  TF_SessionOptions *options = TF_NewSessionOptions();
  const char *tags[] = {"serve"};
  model.session = TF_LoadSessionFromSavedModel(options, NULL, directory, tags, 1, model.graph, NULL,
                                               status);
  check(directory, status);
  TF_DeleteSessionOptions(options);
  TF_DeleteStatus(status);
  model.num_inputs = find_tensors(model.graph, inputs, model.inputs);
  model.num_outputs = find_tensors(model.graph, outputs, model.outputs);
  return model;
}

static inline void free_model(Model *model) {
  TF_Status *status = TF_NewStatus();
  TF_CloseSession(model->session, status);
  check("closing a session", status);
  TF_DeleteSession(model->session, status);
  check("deleting a session", status);
  TF_DeleteGraph(model->graph);
  TF_DeleteStatus(status);
}

/* Feeds `given` and stores the outputs in `found`. */
static inline void run_model(const Model *model, TF_Tensor **given, TF_Tensor **found) {
  TF_Status *status = TF_NewStatus();
  TF_SessionRun(model->session, NULL, model->inputs, given, model->num_inputs, model->outputs,
                found, model->num_outputs, NULL, 0, NULL, status);
  check("request", status);
  TF_DeleteStatus(status);
}

static inline int64_t count_of(const char *text, char separator) {
  int64_t count = 1;
  for (; *text != '\0'; ++text) count += *text == separator;
  return count;
}

/* Fields divided by tabs -> a batch of strings. */
static inline TF_Tensor *string_tensor(const char *line) {
  int64_t rows = count_of(line, '\t');
  TF_Tensor *tensor = TF_AllocateTensor(TF_STRING, &rows, 1, rows * sizeof(TF_TString));
  TF_TString *strings = TF_TensorData(tensor);
  for (int64_t row = 0; row < rows; ++row) {
    size_t length = strcspn(line, "\t");
    TF_StringInit(&strings[row]);
    TF_StringCopy(&strings[row], line, length);
    line += length + 1;
  }
  return tensor;
}

/* Fields of numbers divided by spaces, as many in each field -> a matrix. */
static inline TF_Tensor *int_tensor(const char *line) {
  int64_t rows = count_of(line, '\t');
  int64_t columns = (count_of(line, ' ') + rows - 1) / rows;
  int64_t shape[] = {rows, columns};
  TF_Tensor *tensor = TF_AllocateTensor(TF_INT32, shape, 2, rows * columns * sizeof(int32_t));
  int32_t *numbers = TF_TensorData(tensor);
  char *rest = (char *)line;
  for (int64_t i = 0; i < rows * columns; ++i) numbers[i] = strtol(rest, &rest, 10);
  return tensor;
}

static inline TF_Tensor *tensor_for(TF_Output input, const char *line) {
  return TF_OperationOutputType(input) == TF_STRING ? string_tensor(line) : int_tensor(line);
}

/* Frees a tensor of this program. Those of TensorFlow free their strings themselves. */
static inline void free_tensor(TF_Tensor *tensor) {
  if (TF_TensorType(tensor) == TF_STRING) {
    TF_TString *strings = TF_TensorData(tensor);
    for (int64_t i = 0; i < TF_TensorElementCount(tensor); ++i) TF_StringDealloc(&strings[i]);
  }
  TF_DeleteTensor(tensor);
}

static inline void print_element(FILE *file, const TF_Tensor *tensor, int64_t i) {
  const void *data = TF_TensorData(tensor);
  switch (TF_TensorType(tensor)) {
    case TF_STRING: {
      const TF_TString *text = (const TF_TString *)data + i;
      fwrite(TF_StringGetDataPointer(text), 1, TF_StringGetSize(text), file);
      break;
    }
    case TF_INT32: fprintf(file, "%d", ((const int32_t *)data)[i]); break;
    case TF_FLOAT: fprintf(file, "%.6g", ((const float *)data)[i]); break;
    default: fail("output", "of a type that is not printed");
  }
}

/* Prints a tensor as one line, without a line feed: the form in which requests are read. */
static inline void print_tensor(FILE *file, const TF_Tensor *tensor) {
  int64_t rows = TF_Dim(tensor, 0), elements = TF_TensorElementCount(tensor);
  for (int64_t i = 0; i < elements; ++i) {
    if (i > 0) putc(i % (elements / rows) == 0 ? '\t' : ' ', file);
    print_element(file, tensor, i);
  }
}

#endif
