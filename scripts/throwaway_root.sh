#!/usr/bin/env bash
# Boot systemd on a copy of this computer's files that is thrown away, without touching the computer itself.
#
#   throwaway_root.sh FOLDER      for scripts/throwaway_root.py, which also ends it
#
# What is written goes to memory. Processes, mounts, the network, names and control groups are separate; loopback is the
# only network. Files of people, programs outside Debian's packages, and services that are enabled here are left out.
set -euo pipefail
folder=$1 stage=${2-outside}

outside() {
    mount -t tmpfs -o size=75% tmpfs "$folder"
    mkdir "$folder/written" "$folder/work" "$folder/root"
    # The new control groups hang below this one, which the caller removes.
    echo $$ >"$CONTROL_GROUP/cgroup.procs"
    exec unshare --mount --uts --ipc --net --pid --cgroup --fork --kill-child "$0" "$folder" inside
}

inside() {
    mount -t overlay overlay -o "lowerdir=/,upperdir=$folder/written,workdir=$folder/work" "$folder/root"
    cd "$folder/root"
    kernel
    devices
    for empty in run tmp root home usr/local var/backups; do
        mkdir -p "$empty"
        mount -t tmpfs -o mode=755 tmpfs "$empty"
    done
    chmod 1777 tmp
    mkdir -p usr/local/bin usr/local/sbin run/lock
    forget
    hostname precis
    echo precis >etc/hostname
    pivot_root . mnt
    umount --lazy /mnt
    # Not even root may load modules, set the clock or restart the computer.
    exec env -i container=precis-check PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
        setpriv --bounding-set -sys_module,-sys_time,-sys_boot,-syslog,-sys_rawio,-mac_admin,-mac_override \
        /lib/systemd/systemd --unit=multi-user.target </dev/null >/dev/null 2>&1
}

kernel() {
    mount -t proc proc proc
    mount --bind proc/sys proc/sys
    mount -o remount,bind,ro proc/sys
    mount -t sysfs -o ro sysfs sys
    mount -t cgroup2 cgroup2 sys/fs/cgroup
}

devices() {
    mount -t tmpfs -o mode=755 tmpfs dev
    for name in null zero full random urandom tty; do
        touch "dev/$name"
        mount --bind "/dev/$name" "dev/$name"
    done
    mkdir dev/pts dev/shm
    mount -t devpts -o newinstance,ptmxmode=0666,mode=620,gid=5 devpts dev/pts
    mount -t tmpfs -o mode=1777 tmpfs dev/shm
    ln -s pts/ptmx dev/ptmx
    ln -s /proc/self/fd dev/fd
}

# What an empty server does not have: services of this computer, and a rule of containers that none may start.
forget() {
    rm -rf etc/systemd/system usr/sbin/policy-rc.d var/log/journal
    mkdir etc/systemd/system
    : >etc/machine-id
    printf '127.0.0.1 localhost\n' >etc/hosts
    rm -f etc/fstab
    touch etc/fstab
}

"$stage"
