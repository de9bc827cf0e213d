import { expect, it } from 'vitest';
import { canary, createHarness, password } from './harness.ts';

/** Every spelling in which 32 secret bytes could end up in a store, a message or a file. */
function spellings(bytes: Uint8Array): string[] {
  const hex = Buffer.from(bytes).toString('hex');
  const reversed = Buffer.from([...bytes].reverse());
  return [
    hex,
    hex.toUpperCase(),
    reversed.toString('hex'),
    Buffer.from(bytes).toString('base64').slice(0, 40),
    reversed.toString('base64').slice(0, 40),
    Buffer.from(bytes).toString('latin1'),
    [...bytes].slice(0, 8).join(','),
    JSON.stringify(Object.fromEntries([...bytes].slice(0, 4).entries())).slice(1, -1),
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
    for (const spelling of [...spellings(canary), ...spellings(prf)]) expect(text).not.toContain(spelling);
    expect(text).not.toContain(password);
    expect(text).not.toContain(beside);
    expect(text).not.toContain('a wrong password');
  }
  // The data key is in the session area while unlocked, and nowhere else.
  expect(seen.filter((text) => text.includes(dataKey)).every((text) => text.startsWith('vault:session:'))).toBe(true);
  expect(seen.at(-1)).toBe('after lock: ');
  // The scan itself can fail: it finds the bytes where they are put in plain.
  for (const spelling of spellings(canary)) expect(`x${spelling}y`).toContain(spelling);
});
