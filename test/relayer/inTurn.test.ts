import { expect, it } from 'vitest';
import { atMost } from '../../src/relayer/db/atMost.ts';
import { DatabaseUnavailable } from '../../src/relayer/db/port.ts';
import { createTurns } from '../../src/relayer/mutex.ts';

/** Statements or works that end when they are told to. */
function held() {
  const begun: string[] = [];
  const ends = new Map<string, (error?: Error) => void>();
  const begin = (name: string) => {
    begun.push(name);
    return new Promise<never[]>((resolve, reject) => ends.set(name, (error) => (error ? reject(error) : resolve([]))));
  };
  return { begun, begin, end: (name: string, error?: Error) => ends.get(name)?.(error) };
}

it('statements beyond the most wait in their order, also behind one that fails', async () => {
  const { begun, begin, end } = held();
  const sql = atMost(2, { query: begin });
  const [first, second, third, fourth] = ['a', 'b', 'c', 'd'].map((name) => sql.query(name));
  expect(begun).toEqual(['a', 'b']);
  end('b', new Error('over time'));
  await expect(second).rejects.toThrow('over time');
  await expect.poll(() => begun).toEqual(['a', 'b', 'c']);
  end('a');
  await first;
  await expect.poll(() => begun).toEqual(['a', 'b', 'c', 'd']);
  end('c');
  end('d');
  await Promise.all([third, fourth]);
  const fifth = sql.query('e');
  expect(begun).toContain('e');
  end('e');
  await fifth;
});

it('a statement that has waited for too long is not carried out, and leaves those behind it their place', async () => {
  const { begun, begin, end } = held();
  const sql = atMost(1, { query: begin }, 20);
  const first = sql.query('a');
  await expect(sql.query('b')).rejects.toThrow(DatabaseUnavailable);
  const third = sql.query('c');
  end('a');
  await first;
  await expect.poll(() => begun).toEqual(['a', 'c']);
  end('c');
  await third;
});

it('works of one key run one after another, those of others beside them', async () => {
  const { begun, begin, end } = held();
  const inTurn = createTurns<number>(2);
  const works = [1, 1, 2].map((key, index) => inTurn(key, () => begin(`${key}.${index}`)));
  await expect.poll(() => begun).toEqual(['1.0', '2.2']);
  end('1.0', new Error('over time'));
  await expect(works[0]).rejects.toThrow('over time');
  await expect.poll(() => begun).toEqual(['1.0', '2.2', '1.1']);
  end('1.1');
  end('2.2');
  await Promise.all(works.slice(1));
});

it('no more works of one key wait than may, and those that end make room', async () => {
  const { begun, begin, end } = held();
  const inTurn = createTurns<number>(1);
  const works = ['a', 'b', 'c'].map((name) => inTurn(1, () => begin(name)));
  expect(works[2]).toBeUndefined();
  expect(await inTurn(2, async () => 'other')).toBe('other');
  await expect.poll(() => begun).toEqual(['a']);
  end('a');
  await expect.poll(() => begun).toEqual(['a', 'b']);
  const next = inTurn(1, () => begin('d'));
  end('b');
  await expect.poll(() => begun).toEqual(['a', 'b', 'd']);
  end('d');
  await Promise.all([works[0], works[1], next]);
});
