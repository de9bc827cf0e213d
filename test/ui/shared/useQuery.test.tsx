// @vitest-environment happy-dom
import { render } from 'preact';
import { afterEach, expect, test } from 'vitest';
import type { Stored } from '../../../src/messaging/views.ts';
import { askEarly } from '../../../src/ui/early.ts';
import { useQuery } from '../../../src/ui/shared/useQuery.ts';
import { useStored } from '../../../src/ui/shared/useStored.ts';
import { installBackground } from '../support/fakeBackground.ts';
import { approval, fresh, orders } from '../support/fixtures.ts';

const root = document.createElement('div');
const settled = () => new Promise((resolve) => setTimeout(resolve));
afterEach(() => render(null, root));

let drawings: (string | undefined)[] = [];
function Sites() {
  const { data } = useQuery('listSites', {});
  drawings.push(data?.[0]?.origin);
  return <p>{data?.[0]?.origin}</p>;
}

test('the first drawing has what was asked early, and is not drawn again for it', async () => {
  drawings = [];
  let asked = 0;
  const { callsOf, changed } = installBackground({
    listSites: () => [{ origin: `https://site${++asked}.example`, blocked: false, grants: [] }],
  });
  askEarly('listSites', {});
  await settled();
  render(<Sites />, root);
  expect(root.textContent).toBe('https://site1.example');
  await settled();
  expect(drawings).toEqual(['https://site1.example']);
  expect(callsOf('listSites')).toHaveLength(1);
  changed();
  await settled();
  expect(root.textContent).toBe('https://site2.example');
});

test('without an early read it asks as soon as it is drawn', async () => {
  drawings = [];
  const { callsOf } = installBackground({
    listSites: () => [{ origin: 'https://a.example', blocked: false, grants: [] }],
  });
  render(<Sites />, root);
  expect(callsOf('listSites')).toHaveLength(1);
  await settled();
  expect(drawings).toEqual([undefined, 'https://a.example']);
});

test('an answer about earlier parameters does not touch what is shown for the present ones', async () => {
  installBackground({ getApproval: ({ id }: { id: string }) => approval({ id }) });
  const earlier: Partial<ReturnType<typeof useQuery<'getApproval'>>> = {};
  function Request({ id }: { readonly id: string }) {
    const query = useQuery('getApproval', { id });
    if (id === 'a1') Object.assign(earlier, query);
    return <p>{query.data?.id ?? 'nothing'}</p>;
  }
  render(<Request id="a1" />, root);
  await settled();
  render(<Request id="a2" />, root);
  await settled();
  earlier.set?.(approval({ id: 'a1' }));
  await settled();
  expect(root.textContent).toBe('a2');
  await earlier.reload?.();
  await settled();
  expect(root.textContent).toBe('a2');
});

test('slow answers are shown although newer reads were begun, and none goes over a newer one', async () => {
  const answers: ((id: string) => void)[] = [];
  const { changed } = installBackground({
    getApproval: () => new Promise((resolve) => answers.push((id) => resolve(approval({ id })))),
  });
  function Request() {
    return <p>{useQuery('getApproval', { id: 'a' }).data?.id ?? 'nothing'}</p>;
  }
  const tell = async (read: number, id: string) => {
    answers[read]?.(id);
    await settled();
    return root.textContent;
  };
  render(<Request />, root);
  changed();
  changed();
  expect(await tell(0, 'first')).toBe('first');
  expect(await tell(2, 'third')).toBe('third');
  expect(await tell(1, 'second')).toBe('third');
});

test('of two answers of a relayer the one that was asked for last stays', async () => {
  const answers: (() => void)[] = [];
  installBackground({
    getOrders: ({ refresh }: { refresh: boolean }) => {
      const moreOpen = answers.length > 0;
      const view = fresh({ ...orders, moreOpen });
      return refresh ? new Promise((resolve) => answers.push(() => resolve(view))) : view;
    },
  });
  let ask = () => {};
  function Orders() {
    const { data, refresh } = useStored('getOrders', 'a');
    ask = refresh;
    return <p>{String(data?.moreOpen)}</p>;
  }
  render(<Orders />, root);
  await settled();
  await expect.poll(() => answers.length).toBe(1);
  ask();
  await settled();
  for (const answer of answers.toReversed()) {
    answer();
    await settled();
  }
  expect([answers.length, root.textContent]).toEqual([2, 'true']);
});

test('an answer of a relayer is shown although one that was asked for later has failed', async () => {
  const answers: ((view: Stored<typeof orders>) => void)[] = [];
  const old = fresh(orders);
  installBackground({
    getOrders: ({ refresh }: { refresh: boolean }) => (refresh ? new Promise((resolve) => answers.push(resolve)) : old),
  });
  let ask = () => {};
  function Orders() {
    const { data, problem, isFresh, refresh } = useStored('getOrders', 'a');
    ask = refresh;
    return <p>{`${data?.moreOpen} ${problem?.key} ${isFresh}`}</p>;
  }
  render(<Orders />, root);
  await settled();
  await expect.poll(() => answers.length).toBe(1);
  ask();
  await expect.poll(() => answers.length).toBe(2);
  answers[1]?.({ ...old, problem: { key: 'failed' } });
  await settled();
  expect(root.textContent).toBe('false failed false');
  answers[0]?.(fresh({ ...orders, moreOpen: true }));
  await settled();
  expect(root.textContent).toBe('true undefined true');
});
