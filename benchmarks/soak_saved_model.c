/* Several clients send requests to a SavedModel while its versions are swapped, as in a server.

   soak_saved_model LIBRARIES INPUT OUTPUT[,OUTPUT...] THREADS REQUESTS

   LIBRARIES, INPUT, OUTPUT  as for run_saved_model
   THREADS                   number of clients
   REQUESTS                  a file with one line for INPUT and one for each OUTPUT, alternating:
                             requests and the expected answers, as run_saved_model reads and prints
                             them. Numbers with a decimal point may differ by 0.001.

   Each line of standard input is the directory of a version. It is loaded while the clients use the
   previous one; then they switch, and the previous one is closed when its last request has been
   answered. Then the number of answers so far, and of those that were wrong, is printed. An empty
   line prints the numbers alone. The program ends at the end of the input. */

#define _GNU_SOURCE
#include <malloc.h>
#include <math.h>
#include <pthread.h>
#include <stdbool.h>

#include "saved_model.h"

#define TOLERANCE 1e-3

/* A version that is closed when nobody uses it. */
typedef struct {
  Model model;
  int users;
} Version;

typedef struct {
  char *input, *outputs[MAX_TENSORS];
} Request;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t unused = PTHREAD_COND_INITIALIZER;
static Version *current = NULL;
static bool is_over = false;
static long answers = 0, wrong = 0;
static Request *requests = NULL;
static size_t num_requests = 0;

static char *next_line(FILE *file) {
  char *line = NULL;
  size_t room = 0;
  if (getline(&line, &room, file) < 0) {
    free(line);
    return NULL;
  }
  line[strcspn(line, "\n")] = '\0';
  return line;
}

static void read_requests(const char *path, int num_outputs) {
  FILE *file = fopen(path, "r");
  if (file == NULL) fail(path, "cannot be read");
  for (char *line; (line = next_line(file)) != NULL; ++num_requests) {
    requests = realloc(requests, (num_requests + 1) * sizeof(Request));
    requests[num_requests].input = line;
    for (int i = 0; i < num_outputs; ++i) {
      requests[num_requests].outputs[i] = next_line(file);
      if (requests[num_requests].outputs[i] == NULL) fail(path, "incomplete");
    }
  }
  fclose(file);
  if (num_requests == 0) fail(path, "empty");
}

static bool are_close(const char *found, const char *expected) {
  char *found_end, *expected_end;
  double difference = strtod(found, &found_end) - strtod(expected, &expected_end);
  return *found_end == '\0' && *expected_end == '\0' && fabs(difference) <= TOLERANCE;
}

/* Fields are equal, or numbers with a decimal point that are close. */
static bool is_expected(char *found, const char *expected) {
  char *copy = strdup(expected), *rest = copy;
  bool same = count_of(found, '\t') == count_of(expected, '\t');
  while (same && rest != NULL) {
    const char *field = strsep(&found, "\t"), *wanted = strsep(&rest, "\t");
    same = strcmp(field, wanted) == 0 || (strchr(wanted, '.') && are_close(field, wanted));
  }
  free(copy);
  return same;
}

static bool tensor_is_expected(const TF_Tensor *tensor, const char *expected) {
  char *text = NULL;
  size_t size = 0;
  FILE *file = open_memstream(&text, &size);
  print_tensor(file, tensor);
  fclose(file);
  bool same = is_expected(text, expected);
  if (!same) fprintf(stderr, "wrong: %s\n", expected);
  free(text);
  return same;
}

static bool is_answered(const Model *model, const Request *request) {
  TF_Tensor *given = tensor_for(model->inputs[0], request->input), *found[MAX_TENSORS];
  run_model(model, &given, found);
  bool same = true;
  for (int i = 0; i < model->num_outputs; ++i) {
    same &= tensor_is_expected(found[i], request->outputs[i]);
    TF_DeleteTensor(found[i]);
  }
  free_tensor(given);
  return same;
}

static Version *acquire(void) {
  pthread_mutex_lock(&lock);
  Version *version = is_over ? NULL : current;
  if (version != NULL) ++version->users;
  pthread_mutex_unlock(&lock);
  return version;
}

static void release(Version *version, bool is_right) {
  pthread_mutex_lock(&lock);
  ++answers;
  wrong += !is_right;
  if (--version->users == 0) pthread_cond_signal(&unused);
  pthread_mutex_unlock(&lock);
}

/* Sends all requests over and over; each client begins with another one. */
static void *client(void *first) {
  size_t i = (size_t)first;
  for (Version *version; (version = acquire()) != NULL; ++i)
    release(version, is_answered(&version->model, &requests[i % num_requests]));
  return NULL;
}

static void retire(Version *version) {
  if (version == NULL) return;
  pthread_mutex_lock(&lock);
  while (version->users > 0) pthread_cond_wait(&unused, &lock);
  pthread_mutex_unlock(&lock);
  free_model(&version->model);
  free(version);
  malloc_trim(0);  /* as TensorFlow Serving asks its allocator to when it has unloaded a version */
}

/* Lets the clients use another version, and closes the previous one. */
static void swap(Version *version) {
  pthread_mutex_lock(&lock);
  Version *previous = current;
  current = version;
  pthread_mutex_unlock(&lock);
  retire(previous);
}

static Version *load_version(const char *directory, char **argv) {
  Version *version = calloc(1, sizeof(Version));
  version->model = load_model(directory, argv[2], argv[3]);
  return version;
}

static void report(void) {
  pthread_mutex_lock(&lock);
  printf("%ld %ld\n", answers, wrong);
  pthread_mutex_unlock(&lock);
  fflush(stdout);
}

int main(int argc, char **argv) {
  if (argc != 6) fail("arguments", "LIBRARIES INPUT OUTPUTS THREADS REQUESTS");
  load_libraries(argv[1]);
  size_t num_clients = atoi(argv[4]);
  read_requests(argv[5], count_of(argv[3], ','));
  pthread_t *clients = calloc(num_clients, sizeof(pthread_t));
  for (char *line; (line = next_line(stdin)) != NULL; free(line)) {
    bool is_first = current == NULL;
    if (*line != '\0') swap(load_version(line, argv));
    for (size_t i = 0; is_first && i < num_clients; ++i)
      pthread_create(&clients[i], NULL, client, (void *)(i * num_requests / num_clients));
    report();
  }
  pthread_mutex_lock(&lock);
  is_over = true;
  pthread_mutex_unlock(&lock);
  for (size_t i = 0; i < num_clients; ++i) pthread_join(clients[i], NULL);
  swap(NULL);
  report();
  return 0;
}
