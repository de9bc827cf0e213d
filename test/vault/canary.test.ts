import { expect, it } from 'vitest';
import { canary, createHarness, password } from './harness.ts';

/** A value as JSON without its delimiters, so that it is found at any depth of JSON in JSON. */
const bare = (value: unknown) => unescaped(JSON.stringify(value).slice(1, -1));
const unescaped = (text: string) => text.replaceAll('\\', '');

/** Every form in which 32 secret bytes could end up in a store, a message or a file. */
function formsOf(bytes: Uint8Array): unknown[] {
  const hex = Buffer.from(bytes).toString('hex');
  const reversed = Buffer.from([...bytes].reverse());
  return [
    hex,
    hex.toUpperCase(),
    reversed.toString('hex'),
    Buffer.from(bytes).toString('base64').slice(0, 40),
    reversed.toString('base64').slice(0, 40),
    Buffer.from(bytes).toString('latin1'),
    [...bytes.subarray(0, 8)],
    bytes.subarray(0, 4),
    BigInt(`0x${hex}`).toString(),
    BigInt(`0x${reversed.toString('hex')}`).toString(),
  ];
}

it('keeps every secret and the password out of both stores, the session area, backups and errors', async () => {
  const harness = createHarness();
  const vault = harness.start();
  await vault.create(password);
  const seen: string[] = [];
  const beside = 'what is attached to a backup';
  const prf = Uint8Array.from({ length: 32 }, (_, index) => 0x51 ^ (index * 11));
  const look = async () => {
    seen.push(
      await harness.dumpDatabase(),
      harness.copy.dump(),
      harness.session.dump(),
      await vault.exportBackup(`beside ${beside}`),
    );
  };
  const kinds = ['l1-key', 'eddsa-key', 'api-key', 'pending-eddsa-key', 'mnemonic'] as const;
  for (const kind of kinds) {
    await vault.putSecret({ id: kind, account: 'local/10005', kind }, canary);
    await look();
  }
  await vault.changePassword(password, `${password} 2`);
  await vault.addPasskey(`${password} 2`, { credentialId: 'pass', prfSalt: `${'A'.repeat(43)}=`, prf });
  await look();
  const dataKey = JSON.parse(harness.session.entries.get('vault:session:key') ?? '').dataKey as string;

  const failures = [
    vault.putSecret({ id: 'eddsa-key', account: 'other', kind: 'eddsa-key' }, canary),
    vault.putSecret({ id: '', account: 'x', kind: 'eddsa-key' }, canary),
    vault.unlock('a wrong password'),
    vault.withSecret('nobody', () => {}),
    vault.importBackup(JSON.stringify([...canary]), password),
    vault.create(password),
    vault.unlockWithPasskey(
      'pass',
      prf.map((byte) => byte ^ 1),
    ),
  ];
  harness.copy.failWrite(0);
  failures.push(vault.putSecret({ id: 'more', account: 'x', kind: 'api-key' }, canary));
  for (const result of await Promise.allSettled(failures)) {
    expect(result.status).toBe('rejected');
    if (result.status === 'rejected')
      seen.push(String(result.reason), JSON.stringify(result.reason), result.reason.stack);
  }
  harness.copy.heal();
  await vault.lock();
  seen.push(`after lock: ${harness.session.dump()}`);

  for (const text of seen) {
    const plain = unescaped(text);
    for (const form of [...formsOf(canary), ...formsOf(prf)]) {
      expect(plain).not.toContain(bare(form));
      expect(text).not.toContain(String(form));
    }
    expect(text).not.toContain(password);
    expect(text).not.toContain(beside);
    expect(text).not.toContain('a wrong password');
  }
  // The data key is in the session area while unlocked, and nowhere else.
  const holding = seen.filter((text) => text.includes(dataKey));
  expect(holding.length).toBeGreaterThan(0);
  expect(holding.every((text) => text.startsWith('vault:session:'))).toBe(true);
  expect(seen.at(-1)).toBe('after lock: ');
  // The scan itself can fail: it finds each form in JSON inside JSON, as both stores hold it.
  for (const form of formsOf(canary))
    expect(unescaped(JSON.stringify({ text: JSON.stringify({ form }) }))).toContain(bare(form));
});
