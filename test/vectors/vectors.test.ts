import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { checkVectorFile } from '../support/checkVectorFile.ts';

const folder = import.meta.dirname;
const names = readdirSync(folder).filter((name) => name.endsWith('.json'));

describe('golden vectors', () => {
  it('has the 30 files of the protocol', () => {
    expect(names).toHaveLength(30);
  });

  it.each(names)('%s holds in every field', async (name) => {
    const result = await checkVectorFile(readFileSync(join(folder, name), 'utf8'));
    expect(result.failures).toEqual([]);
    expect(result.unread).toBe(0);
    expect(result.passed).toBeGreaterThan(0);
  });
});

describe('checkVectorFile', () => {
  const publicKey = JSON.parse(readFileSync(join(folder, 'public-key-pack.json'), 'utf8'));

  it('says that the vectors of a kind that is not known are unread, and not that they are wrong', async () => {
    const result = await checkVectorFile(JSON.stringify({ kind: 'toString', vectors: [{}, {}] }));
    expect(result).toMatchObject({
      passed: 0,
      failed: 0,
      unread: 2,
      failures: ['the kind toString is not known'],
    });
  });

  it('names the vector and the field when one digit is wrong', async () => {
    const vectors = structuredClone(publicKey.vectors);
    vectors[1].packed = `${vectors[1].packed.slice(0, -1)}${vectors[1].packed.endsWith('0') ? '1' : '0'}`;
    const result = await checkVectorFile(JSON.stringify({ ...publicKey, vectors }));
    expect(result.failed).toBe(1);
    expect(result.failures[0]).toMatch(new RegExp(`^${vectors[1].id}: packed expected \\d+, got \\d+$`));
  });

  it('fails a vector with a missing field', async () => {
    const vectors = [{ ...publicKey.vectors[0], packed: undefined }];
    expect(await checkVectorFile(JSON.stringify({ kind: 'public-key-pack', vectors }))).toMatchObject({ failed: 1 });
  });

  it('fails a file that is not JSON, is empty, or counts wrong', async () => {
    for (const text of ['{', '{}', 'null', '{"kind":"cid","vectors":[]}', '{"kind":"cid","count":2,"vectors":[{}]}'])
      expect(await checkVectorFile(text)).toMatchObject({ passed: 0, failed: 1 });
  });
});
