import { readFileSync } from 'node:fs';

/**
 * Tells one lifetime of a process id from the next: the machine's boot and the process's start
 * within it. In a container a restarted relayer has the same id again. Only the id where the system
 * does not say more.
 */
export function processIdentity(pid: number): string {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name in brackets may hold spaces; the start time is the 20th field behind it.
    const startedAt = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19];
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    return `${pid} ${boot} ${startedAt}`;
  } catch {
    return String(pid);
  }
}

/** Whether the process that once had this identity still runs. */
export function isAlive(identity: string): boolean {
  const pid = Number(identity.split(' ')[0]);
  if (!Number.isInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return false;
  }
  const now = processIdentity(pid);
  // An identity of one word says nothing about the start: then whoever has the id counts as the
  // holder.
  return !identity.includes(' ') || !now.includes(' ') || now === identity;
}
