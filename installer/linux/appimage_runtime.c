/* The executable part of the AppImage (type 2): unpacks the SquashFS image behind it once, into the user's cache, and starts AppRun
 * there. It does not need FUSE or system libraries.
 *
 * Defined by installer/appimage.py: IMAGE, the SHA-256 of the image in hexadecimal digits, which names the folder.
 *
 * The folder is $XDG_CACHE_HOME/webrag-appimage/IMAGE. It gets this name when it is complete. Every program that runs from it
 * holds a shared lock on IMAGE.lock. After unpacking, folders of other versions without a lock are removed.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <limits.h>
#include <link.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <squashfuse/squashfuse.h>

#define CACHE "webrag-appimage"
#define LOCK ".lock"
#define UNFINISHED ".new"
#define PIECE_BYTES (1 << 20)
#define OPEN_FOLDERS 16
#define NO_START 127

/* The image uses zstd. The library refers to other compressors but never calls them; liblzo2 must not be linked. */
int lzo1x_decompress_safe(void) { return -1; }
int LZ4_decompress_safe(void) { return -1; }
int lzma_stream_buffer_decode(void) { return 1; }

static char *unfinished;

static int remove_entry(const char *path, const struct stat *status, int kind, struct FTW *place) {
    (void)status, (void)kind, (void)place;
    return remove(path);
}

static void remove_tree(const char *folder) { nftw(folder, remove_entry, OPEN_FOLDERS, FTW_DEPTH | FTW_PHYS); }

static _Noreturn void fail(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    fputs("WebRAG: ", stderr);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    va_end(arguments);
    if (unfinished) remove_tree(unfinished);
    exit(NO_START);
}

static char *joined(const char *format, ...) {
    char *text = NULL;
    va_list arguments;
    va_start(arguments, format);
    if (vasprintf(&text, format, arguments) < 0) fail("out of memory");
    va_end(arguments);
    return text;
}

static void write_file(sqfs *image, sqfs_inode *inode, const char *target) {
    static char piece[PIECE_BYTES];
    int file = open(target, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, inode->base.mode & 0777);
    if (file < 0) fail("cannot write %s: %s", target, strerror(errno));
    for (sqfs_off_t at = 0; (uint64_t)at < inode->xtra.reg.file_size;) {
        sqfs_off_t bytes = PIECE_BYTES;
        if (sqfs_read_range(image, inode, at, &bytes, piece) != SQFS_OK || bytes <= 0)
            fail("the file is damaged. Download it again and compare its checksum");
        for (sqfs_off_t written = 0; written < bytes;) {
            ssize_t now = write(file, piece + written, bytes - written);
            if (now < 0 && errno == EINTR) continue;
            if (now < 0) fail("cannot write %s: %s", target, strerror(errno));
            written += now;
        }
        at += bytes;
    }
    if (close(file)) fail("cannot write %s: %s", target, strerror(errno));
}

static void make_link(sqfs *image, sqfs_inode *inode, const char *target) {
    char to[PATH_MAX];
    size_t size = sizeof to;
    if (sqfs_readlink(image, inode, to, &size) != SQFS_OK || symlink(to, target))
        fail("cannot write %s: %s", target, strerror(errno));
}

/* Return the offset of the image: after the section table, which is the last part of the program. */
static size_t offset(void) {
    ElfW(Ehdr) head;
    int file = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
    if (file < 0 || read(file, &head, sizeof head) != sizeof head) fail("cannot read the program: %s", strerror(errno));
    close(file);
    return head.e_shoff + (size_t)head.e_shentsize * head.e_shnum;
}

/* Unpack the image of this program into a new folder. */
static void unpack(const char *folder) {
    sqfs image;
    sqfs_traverse walk;
    sqfs_err error = SQFS_OK;
    if (sqfs_open_image(&image, "/proc/self/exe", offset()) != SQFS_OK ||
        sqfs_traverse_open(&walk, &image, sqfs_inode_root(&image)) != SQFS_OK)
        fail("the file is damaged. Download it again and compare its checksum");
    if (mkdir(folder, 0755)) fail("cannot create %s: %s", folder, strerror(errno));
    while (sqfs_traverse_next(&walk, &error)) {
        if (walk.dir_end) continue;
        sqfs_inode inode;
        if (sqfs_inode_get(&image, &inode, sqfs_dentry_inode(&walk.entry)) != SQFS_OK)
            fail("the file is damaged. Download it again and compare its checksum");
        char *target = joined("%s/%s", folder, walk.path);
        if (S_ISDIR(inode.base.mode)) {
            if (mkdir(target, 0755)) fail("cannot create %s: %s", target, strerror(errno));
        } else if (S_ISLNK(inode.base.mode)) {
            make_link(&image, &inode, target);
        } else if (S_ISREG(inode.base.mode)) {
            write_file(&image, &inode, target);
        }
        free(target);
    }
    if (error != SQFS_OK) fail("the file is damaged. Download it again and compare its checksum");
    sqfs_traverse_close(&walk);
    sqfs_fd_close(image.fd);
    sqfs_destroy(&image);
}

/* Create the folder if it is missing, and check that only this user can change it. */
static void own_folder(const char *folder) {
    struct stat status;
    if (mkdir(folder, 0700) && errno != EEXIST) fail("cannot create %s: %s", folder, strerror(errno));
    if (lstat(folder, &status) || !S_ISDIR(status.st_mode) || status.st_uid != geteuid() || (status.st_mode & 022))
        fail("%s is not a folder that only you can change. Remove it, or set XDG_CACHE_HOME", folder);
}

static char *cache_folder(void) {
    const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    char *above;
    if (cache && cache[0] == '/')
        above = joined("%s", cache);
    else if (home && home[0] == '/')
        above = joined("%s/.cache", home);
    else
        fail("no folder to unpack to. Set HOME or XDG_CACHE_HOME");
    if (mkdir(above, 0700) && errno != EEXIST) fail("cannot create %s: %s", above, strerror(errno));
    char *folder = joined("%s/" CACHE, above);
    own_folder(folder);
    char *whole = realpath(folder, NULL);
    if (!whole) fail("cannot read %s: %s", folder, strerror(errno));
    free(folder);
    free(above);
    return whole;
}

static int lock_of(const char *folder) {
    char *name = joined("%s" LOCK, folder);
    int lock = open(name, O_RDWR | O_CREAT | O_NOFOLLOW, 0600);
    if (lock < 0) fail("cannot write %s: %s", name, strerror(errno));
    free(name);
    return lock;
}

/* Remove other versions that no program uses. Keep their lock files: removing one would break the lock of a waiting process. */
static void remove_others(const char *cache) {
    DIR *entries = opendir(cache);
    for (struct dirent *entry; entries && (entry = readdir(entries));) {
        if (strlen(entry->d_name) != strlen(IMAGE) || !strcmp(entry->d_name, IMAGE)) continue;
        char *folder = joined("%s/%s", cache, entry->d_name);
        int lock = lock_of(folder);
        if (!flock(lock, LOCK_EX | LOCK_NB)) remove_tree(folder);
        close(lock);
        free(folder);
    }
    if (entries) closedir(entries);
}

/* Return the folder of this version and unpack it if necessary. The lock stays open, so AppRun inherits it. */
static char *unpacked(void) {
    char *cache = cache_folder(), *folder = joined("%s/" IMAGE, cache);
    int lock = lock_of(folder);
    if (flock(lock, LOCK_SH)) fail("cannot lock %s: %s", folder, strerror(errno));
    while (access(folder, F_OK)) {
        /* Do not wait for an exclusive lock: a process that unpacked it can run for hours. */
        flock(lock, LOCK_UN);
        if (flock(lock, LOCK_EX | LOCK_NB)) {
            if (errno != EWOULDBLOCK) fail("cannot lock %s: %s", folder, strerror(errno));
            usleep(20000);
        } else if (access(folder, F_OK)) {
            unfinished = joined("%s" UNFINISHED, folder);
            remove_tree(unfinished);
            unpack(unfinished);
            if (rename(unfinished, folder)) fail("cannot create %s: %s", folder, strerror(errno));
            free(unfinished);
            unfinished = NULL;
            remove_others(cache);
        }
        /* Between two locks, another version can remove the folder. Then unpack it again. */
        if (flock(lock, LOCK_SH)) fail("cannot lock %s: %s", folder, strerror(errno));
    }
    free(cache);
    return folder;
}

int main(int count, char **arguments) {
    char *option = count > 1 ? arguments[1] : "";
    if (!strcmp(option, "--appimage-offset")) return printf("%zu\n", offset()) < 0;
    if (!strcmp(option, "--appimage-version")) return puts("Type 2, WebRAG Desktop's own runtime") < 0;
    if (!strcmp(option, "--appimage-extract")) {
        unpack("squashfs-root");
        return puts("squashfs-root") < 0;
    }
    if (!strcmp(option, "--appimage-extract-and-run")) {
        arguments[1] = arguments[0];
        arguments++;
    } else if (!strncmp(option, "--appimage-", strlen("--appimage-"))) {
        fail("unknown option %s. The options are --appimage-extract, --appimage-extract-and-run, --appimage-offset and "
             "--appimage-version", option);
    }
    char *file = realpath("/proc/self/exe", NULL), *here = getcwd(NULL, 0), *folder = unpacked();
    char *program = joined("%s/AppRun", folder);
    if (!file || setenv("APPIMAGE", file, 1) || setenv("APPDIR", folder, 1) || setenv("ARGV0", arguments[0], 1) ||
        (here && setenv("OWD", here, 1)))
        fail("cannot set the environment variables: %s", strerror(errno));
    execv(program, arguments);
    fail("cannot start %s: %s. Remove %s and start again", program, strerror(errno), folder);
}
