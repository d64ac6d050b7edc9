/*
 * Loaded before the C library: each sync takes as many ms longer as the file SLOW_DISK says. Those that come together do
 * not wait for each other, since Linux has the disk flush once for all that wait.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static void take_its_time(void) {
  const char *path = getenv("SLOW_DISK");
  FILE *file = path == NULL ? NULL : fopen(path, "r");
  int ms = 0;
  if (file == NULL) return;
  if (fscanf(file, "%d", &ms) != 1) ms = 0;
  fclose(file);
  if (ms <= 0) return;
  struct timespec time = {ms / 1000, (ms % 1000) * 1000000L};
  nanosleep(&time, NULL);
}

int fsync(int descriptor) {
  take_its_time();
  return ((int (*)(int))dlsym(RTLD_NEXT, "fsync"))(descriptor);
}

int fdatasync(int descriptor) {
  take_its_time();
  return ((int (*)(int))dlsym(RTLD_NEXT, "fdatasync"))(descriptor);
}
