# Runs a command as an ordinary user without capabilities under the /proc that Docker gives a container by default: parts
# of it are masked or read-only, and so the kernel refuses another one. Usage: unshare --mount --pid --fork sh FILE COMMAND
set -eu
mount -t proc proc /proc
for file in kcore keys timer_list; do
  if [ -e /proc/$file ]; then mount --bind /dev/null /proc/$file; fi
done
for folder in acpi scsi; do
  if [ -d /proc/$folder ]; then mount -t tmpfs -o ro tmpfs /proc/$folder; fi
done
for path in bus fs irq sys sysrq-trigger; do
  if [ -e /proc/$path ]; then
    mount --bind /proc/$path /proc/$path
    mount -o remount,bind,ro /proc/$path
  fi
done
exec setpriv --reuid=61234 --regid=61234 --clear-groups --bounding-set=-all --inh-caps=-all --no-new-privs -- "$@"
