package io.perdure.store.sqlite;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class NetworkFileSystemsTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "nfs",
                "nfs4",
                "NFS",
                "cifs",
                "smb",
                "smb2",
                "smb3",
                "smbfs",
                "afs",
                "afpfs",
                "9p",
                "ncpfs",
                "ceph",
                "glusterfs",
                "lustre",
                "vboxsf",
                "fuse.sshfs",
                "fuse.s3fs",
                "fuse.gcsfuse",
                "fuse.rclone",
                "fuse.glusterfs",
                "fuse.grpcfuse",
                "fuse.vmhgfs-fuse"
            })
    void filesOfOtherMachinesAreToldApart(String type) {
        assertThat(NetworkFileSystems.has(type)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "ext4",
                "xfs",
                "btrfs",
                "zfs",
                "tmpfs",
                "overlay",
                "apfs",
                "hfs",
                "NTFS",
                "ReFS",
                "exfat",
                "fuseblk",
                "ntfs3",
                "fuse.fuse-overlayfs",
                "fuse.gocryptfs",
                "fuse.bindfs",
                "virtiofs",
                "f2fs",
                "bcachefs",
                "proc",
                ""
            })
    void filesOfThisMachineAreNot(String type) {
        assertThat(NetworkFileSystems.has(type)).isFalse();
    }
}
