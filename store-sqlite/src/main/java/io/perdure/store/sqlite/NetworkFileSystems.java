package io.perdure.store.sqlite;

import java.util.Locale;
import java.util.Set;

/**
 * Knows file systems whose files live on another machine, or on the host of a virtual one. Their locks and shared memory do
 * not reach everybody who has the file open, and SQLite without them loses data instead of failing.
 */
final class NetworkFileSystems {
    private static final String FUSE = "fuse.";

    /** By their names in the table of mounts. */
    private static final Set<String> KERNEL = Set.of(
            // 9p is how WSL 2 shows the disks of Windows under /mnt, and how some hypervisors share folders.
            "9p",
            "afpfs",
            "afs",
            "beegfs",
            "ceph",
            "cifs",
            "coda",
            "davfs",
            "glusterfs",
            "gpfs",
            "lustre",
            "ncp",
            "ncpfs",
            "orangefs",
            "panfs",
            "prl_fs",
            "pvfs2",
            "vboxsf",
            "vmhgfs",
            "webdav",
            "wekafs");

    /** By their names after {@code fuse.}; most others of that kind are local: overlays, encryption, foreign disks. */
    private static final Set<String> FUSE_NAMES = Set.of(
            "afp",
            "blobfuse",
            "blobfuse2",
            "ceph",
            "ceph-fuse",
            "curlftpfs",
            "davfs",
            "davfs2",
            "gcsfuse",
            "glusterfs",
            "goofys",
            // How Docker Desktop showed folders of a Mac before virtiofs.
            "grpcfuse",
            "juicefs",
            "mfs",
            "mount-s3",
            "osxfs",
            "rclone",
            "s3fs",
            "seaweedfs",
            "sshfs",
            "vmhgfs-fuse");

    private NetworkFileSystems() {}

    /** Whether files of this type, as {@link java.nio.file.FileStore#type} names it, live elsewhere. */
    static boolean has(String type) {
        String name = type.toLowerCase(Locale.ROOT);
        if (name.startsWith(FUSE)) {
            return FUSE_NAMES.contains(name.substring(FUSE.length()));
        }
        // These two come with their versions in the name: nfs4, smb3.
        return name.startsWith("nfs") || name.startsWith("smb") || KERNEL.contains(name);
    }
}
