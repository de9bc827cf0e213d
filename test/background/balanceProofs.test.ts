import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, onTestFinished, test } from 'vitest';
import { checkProof, proofState } from '../../src/background/proofs/checkProof.ts';
import { readProofs, rootsForm, withFailure } from '../../src/background/proofs/storedProofs.ts';
import { heldBy } from '../../src/background/rpc/ui/heldBy.ts';
import { exchangeId } from '../../src/background/settings/exchangeId.ts';
import type { ProofsView } from '../../src/messaging/views.ts';
import { headerOf } from '../../src/protocol/rollup/headerText.ts';
import { decodeBlock, formatMerkleProof, parseMerkleProof, RollupState } from '../../src/protocol/rollup/index.ts';
import { dev } from '../support/dev.ts';
import { runScript } from '../support/runScript.ts';
import { createWalletHarness } from '../support/wallet.ts';
import { relayerOfFile } from './relayerOfFile.ts';
import { openOther, PASSWORD, START_TIMEOUT_MS, seal, setUp, startRelayer, until } from './support.ts';

const ROOTS_OF_THE_FILE = 'The roots are what the file says: compare them with those on the chain of the exchange.';

const PROOF = '/api/v3/exit/proof';
const BYTES = '/api/v3/block/bytes';
const BALANCES = '/api/v3/user/balances';
const NFTS = '/api/v3/user/nft/balances';

/** Blocks are sealed when a test says so. */
const sealing = { blockAgeMs: 3_600_000 };
const relayer = await relayerOfFile(sealing);

const folder = mkdtempSync(join(tmpdir(), 'countersign-wallet-proofs-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const verify = (path: string) => runScript('verify-proofs', '--from', path);

type Lie = (answer: never, query: URLSearchParams) => unknown;

/** A wallet behind a wire that counts what is asked, and can change each answer of a path. */
async function behindWire(of = relayer) {
  const lies = new Map<string, Lie>();
  const asked: string[] = [];
  const send: typeof fetch = async (input, init) => {
    const { pathname, searchParams } = new URL(String(input));
    const at = (searchParams.get('tokenId') ?? '') || (searchParams.get('start') ?? '');
    if (pathname === PROOF || pathname === BYTES) asked.push(`${pathname} ${at}`);
    const lie = lies.get(pathname);
    const answer = await fetch(input, init);
    if (!lie) return answer;
    const said = await lie((await answer.json()) as never, searchParams);
    return said instanceof Response ? said : Response.json(said);
  };
  const stage = await setUp(of, { fetch: send });
  const { wallet, accountView: account } = stage;
  const view = () => wallet.ui('getBalanceProofs', { account });
  /** Reads the balances, and waits for the proofs that follow. */
  async function refreshed(): Promise<ProofsView> {
    await wallet.ui('getHome', { refresh: true });
    const { config, ...background } = wallet.background().wallet;
    const place = await config.place(account);
    if (!place.account || !place.network) throw new Error('no account');
    const held = await heldBy(wallet.ports, place.account);
    await background.balanceProofs.refresh(place.account, place.network, held);
    return view();
  }
  const attention = async () =>
    (await wallet.ui('getAttention', { refresh: false })).filter(({ kind }) => kind === 'proof');
  return { ...stage, lies, asked, view, refreshed, attention };
}

const states = ({ proofs }: ProofsView) => proofs.map(({ token, state }) => [token.symbol, state]);
const rules = ({ proofs }: ProofsView) => proofs.map(({ failure }) => failure?.rule ?? null);

describe('an honest relayer', () => {
  test('proves each balance once a block, and the wallet keeps the newest proof', async () => {
    const stage = await behindWire();
    const { wallet, asked, refreshed, client, account, view } = stage;
    await seal(relayer);
    const first = await refreshed();
    expect(first).toMatchObject({ offered: 'yes' });
    expect(states(first)).toEqual([
      ['ETH', 'proven'],
      ['LRC', 'proven'],
    ]);
    const block = first.proofs[0]?.blockId ?? -1;
    expect(block).toBeGreaterThan(0);
    expect(first.proofs).toMatchObject([{ blockId: block, failure: null }, { blockId: block }]);
    expect(asked.splice(0)).toEqual([`${PROOF} 0`, `${BYTES} ${block}`, `${PROOF} 1`]);

    // Only the first token tells that there is no newer block.
    expect(await refreshed()).toEqual(first);
    expect(asked.splice(0).filter((one) => !one.endsWith(' 0'))).toEqual([]);

    const other = await openOther(relayer);
    await seal(relayer);
    const second = await refreshed();
    expect(other.accountId).not.toBe(account.accountId);
    expect(second.proofs[1]?.blockId).toBeGreaterThan(block);
    expect(states(second)).toEqual(states(first));

    const [balance] = await client.getBalances({
      query: { accountId: account.accountId, tokens: '0' },
      apiKey: account.apiKey,
    });
    expect(second.proofs[0]).toMatchObject({ total: balance?.total, proven: balance?.total });
    wallet.restart();
    await wallet.ui('unlock', { password: PASSWORD });
    expect(await view()).toEqual(second);
    expect(wallet.unregistered.size).toBe(0);
  });

  test('nobody waits for proofs: what was read is there while they hang', async () => {
    const { wallet, lies, view } = await behindWire();
    await seal(relayer);
    let free = () => {};
    const hanging = new Promise<void>((resolve) => {
      free = resolve;
    });
    lies.set(PROOF, async (answer) => {
      await hanging;
      return answer;
    });
    expect((await wallet.ui('getHome', { refresh: true })).balances).toHaveLength(2);
    expect(states(await view())).toEqual([
      ['ETH', 'none'],
      ['LRC', 'none'],
    ]);
    free();
    await until(async () => (await view()).proofs.every(({ state }) => state === 'proven'));
  });

  test('a proof that was asked for earlier and is stored later takes the place of no newer one', async () => {
    const { wallet, lies, view, accountView, refreshed } = await behindWire();
    await seal(relayer);
    const { config, balanceProofs } = wallet.background().wallet;
    const { account, network } = await config.place(accountView);
    if (!account || !network) throw new Error('no account');
    await wallet.ui('getHome', { refresh: true });
    const before = await refreshed();
    const held = await heldBy(wallet.ports, account);
    await openOther(relayer);
    await seal(relayer);
    let free = () => {};
    const hanging = new Promise<void>((resolve) => {
      free = resolve;
    });
    let asked = () => {};
    const isAsked = new Promise<void>((resolve) => {
      asked = resolve;
    });
    lies.set(PROOF, async (answer, query) => {
      if (query.get('tokenId') === '0') return answer;
      lies.delete(PROOF);
      asked();
      await hanging;
      return answer;
    });
    const first = balanceProofs.refresh(account, network, held);
    await isAsked;
    await openOther(relayer);
    await seal(relayer);
    await balanceProofs.refresh(account, network, held.slice(0, 1));
    const newest = (await view()).proofs[0]?.blockId;
    expect(newest).toBeGreaterThan(before.proofs[0]?.blockId ?? Infinity);
    free();
    await first;
    expect((await view()).proofs.map(({ blockId }) => blockId)).toEqual([newest, expect.any(Number)]);
  });

  test.each(['no', 'yes'] as const)(
    'a late “%s” to an earlier reading does not undo what a newer one found',
    async (late) => {
      const { wallet, lies, view, accountView, refreshed } = await behindWire();
      await seal(relayer);
      await refreshed();
      const { config, balanceProofs } = wallet.background().wallet;
      const { account, network } = await config.place(accountView);
      if (!account || !network) throw new Error('no account');
      const held = await heldBy(wallet.ports, account);
      let answer = () => {};
      const answered = new Promise<void>((resolve) => {
        answer = resolve;
      });
      let ask = () => {};
      const asked = new Promise<void>((resolve) => {
        ask = resolve;
      });
      const said = { no: () => Response.json({ error: 'not found' }, { status: 404 }), yes: (proof: unknown) => proof };
      lies.set(PROOF, async (proof) => {
        lies.set(PROOF, said[late === 'no' ? 'yes' : 'no']);
        ask();
        await answered;
        return said[late](proof);
      });
      const earlier = balanceProofs.refresh(account, network, held);
      await asked;
      await balanceProofs.refresh(account, network, held.slice(0, 1));
      const { offered } = await view();
      expect(offered).toBe(late === 'no' ? 'yes' : 'no');
      answer();
      await earlier;
      expect((await view()).offered).toBe(offered);
    },
  );

  test('a balance that the block does not have is not proven, and the block’s is said', async () => {
    const { lies, refreshed, attention } = await behindWire();
    await seal(relayer);
    lies.set(BALANCES, (rows: { total: string }[]) =>
      rows.map((row) => ({ ...row, total: String(BigInt(row.total) + 1n) })),
    );
    const { proofs } = await refreshed();
    expect(proofs[0]).toMatchObject({ state: 'changed', failure: null });
    expect(BigInt(proofs[0]?.total ?? 0) - BigInt(proofs[0]?.proven ?? 0)).toBe(1n);
    expect(await attention()).toEqual([]);
  });

  test(
    'before the first block nothing is proven, and nothing is wrong',
    async () => {
      const fresh = await startRelayer(sealing);
      onTestFinished(() => fresh.close());
      const { wallet, refreshed, attention } = await behindWire(fresh);
      expect(await refreshed()).toMatchObject({ offered: 'not-yet', proofs: [{ state: 'none' }, { state: 'none' }] });
      await seal(fresh);
      expect(await refreshed()).toMatchObject({ offered: 'yes', proofs: [{ state: 'proven' }, { state: 'proven' }] });
      expect(await wallet.ui('getHome', { refresh: false })).not.toHaveProperty('noProofs');
      expect(await attention()).toEqual([]);
    },
    START_TIMEOUT_MS,
  );

  test('proofs and roots go with their account and network', async () => {
    const { wallet, refreshed, accountView: account, network } = await behindWire();
    await seal(relayer);
    await refreshed();
    expect(Object.keys(wallet.kept().local)).toEqual(
      expect.arrayContaining([`proofs:${account}`, `block-roots:${exchangeId(network)}`]),
    );
    await wallet.ui('removeAccount', { account, password: PASSWORD });
    await wallet.ui('removeNetwork', { networkId: network.id });
    expect(Object.keys(wallet.kept().local).filter((key) => /^(proofs|block-roots):/.test(key))).toEqual([]);
  });
});

describe('a relayer without proofs', () => {
  test.each([
    ['has no such path', () => Response.json({ error: 'not found' }, { status: 404 })],
    ['answers something else', () => Response.json({ hello: 'world' })],
    [
      'gives a proof of another form',
      (answer: { proof: object }) => ({ ...answer, proof: { ...answer.proof, more: 1 } }),
    ],
  ] as const)('that %s is shown as what it is', async (_what, lie) => {
    const { lies, refreshed, attention } = await behindWire();
    await seal(relayer);
    lies.set(PROOF, lie as Lie);
    const view = await refreshed();
    expect(view.offered).toBe('no');
    expect(new Set(view.proofs.map(({ state }) => state))).toEqual(new Set(['none']));
    expect(await attention()).toEqual([]);
  });

  test('that does not publish its blocks gives no proof, whatever root it names', async () => {
    const { wallet, lies, refreshed } = await behindWire();
    await seal(relayer);
    lies.set(BYTES, () => ({ blocks: [] }));
    expect(await refreshed()).toMatchObject({ offered: 'no', proofs: [{ state: 'none' }, { state: 'none' }] });
    expect(await wallet.ui('getHome', { refresh: false })).toMatchObject({ noProofs: true });
  });

  test('that is overloaded changes nothing of what is known', async () => {
    const { lies, refreshed, view } = await behindWire();
    await seal(relayer);
    const known = await refreshed();
    const message = 'the relayer is overloaded; send the same request again';
    lies.set(PROOF, () => Response.json({ resultInfo: { code: 100_000, message } }, { status: 503 }));
    await expect(refreshed()).rejects.toThrow();
    expect(await view()).toEqual(known);
  });
});

interface ProofAnswer {
  readonly blockId: number;
  readonly root: string;
  readonly proof: {
    readonly accountLeaf: object;
    readonly balanceLeaf: { readonly balance: string };
    readonly nft: object;
    readonly accountMerkleProof: string[];
    readonly balanceMerkleProof: string[];
  };
}

/** The same text with its last digit changed. */
const changed = (digits: string) => `${digits.slice(0, -1)}${digits.endsWith('1') ? '2' : '1'}`;

/**
 * Lets the relayer publish blocks of its own making, of which the last is the newest.
 * @param invented - State after each block by its number.
 */
async function inventBlocks({ lies, account }: Awaited<ReturnType<typeof behindWire>>, ...invented: Invented[]) {
  const { blocks } = (await (await fetch(`${relayer.url}${BYTES}`)).json()) as { blocks: { data: string }[] };
  const { data = '', ...members } = blocks.at(-1) ?? {};
  const rootOf = ([, state]: Invented) => state.root().toString(16).padStart(64, '0');
  lies.set(PROOF, (_answer, query) => {
    const newest = invented.at(-1) as Invented;
    const proof = newest[1].prove(account.accountId, Number(query.get('tokenId')));
    return { blockId: newest[0], root: `0x${rootOf(newest)}`, proof: formatMerkleProof(proof) };
  });
  lies.set(BYTES, (answer: { blocks: object[] }, query) => {
    const block = invented.find(([blockId]) => blockId === Number(query.get('start')));
    if (!block) return answer;
    const root = rootOf(block);
    // It names the root of the newest true block as the one before it.
    const ownData = `${data.slice(0, 42)}${data.slice(106, 170)}${root}${data.slice(170)}`;
    return { blocks: [{ ...members, blockId: block[0], rootAfter: `0x${root}`, data: ownData }] };
  });
}
type Invented = readonly [blockId: number, state: RollupState];

/** A state without the account of any test; another for each nonce. */
function stateWithoutAccount(nonce: number): RollupState {
  const state = new RollupState();
  state.setAccount(60_000, { owner: 1n, nonce });
  return state;
}

describe('a relayer that lies', () => {
  const liesOfOne: readonly (readonly [string, string, Lie])[] = [
    [
      'a changed sibling',
      'root',
      (answer: ProofAnswer) => ({
        ...answer,
        proof: {
          ...answer.proof,
          accountMerkleProof: answer.proof.accountMerkleProof.map((sibling, i) =>
            i === 5 ? changed(sibling) : sibling,
          ),
        },
      }),
    ],
    [
      'another balance in the leaf',
      'root',
      ({ proof: { balanceLeaf, ...proof }, ...answer }: ProofAnswer) => ({
        ...answer,
        proof: { ...proof, balanceLeaf: { ...balanceLeaf, balance: changed(balanceLeaf.balance) } },
      }),
    ],
    [
      'another key in the leaf',
      'root',
      ({ proof: { accountLeaf, ...proof }, ...answer }: ProofAnswer) => ({
        ...answer,
        proof: { ...proof, accountLeaf: { ...accountLeaf, pubKeyX: '7' } },
      }),
    ],
    ['another root', 'two-roots', (answer: ProofAnswer) => ({ ...answer, root: `0x${'1'.padStart(64, '0')}` })],
  ];

  test.each(liesOfOne)(
    '%s does not hold (%s): shown, kept, and shown again after a restart',
    async (_what, rule, lie) => {
      const { wallet, lies, refreshed, attention, accountView, view } = await behindWire();
      await seal(relayer);
      const before = await refreshed();
      lies.set(PROOF, lie);
      const lied = await refreshed();
      expect(lied.proofs[0]).toMatchObject({ state: 'proven', failure: { rule, blockId: before.proofs[0]?.blockId } });
      const [item, ...others] = await attention();
      expect(others).toEqual([]);
      expect(item).toMatchObject({ kind: 'proof', account: accountView, actions: ['proofs', 'dismiss'] });
      // Seen again, it is still one entry.
      await refreshed();
      expect(await attention()).toEqual([item]);
      wallet.restart();
      await wallet.ui('unlock', { password: PASSWORD });
      expect(await view()).toEqual(lied);
      expect(await attention()).toEqual([item]);
      const [kept] = await wallet.background().wallet.balanceProofs.failures(accountView);
      expect(kept).toMatchObject({ rule, proof: expect.objectContaining({ accountLeaf: expect.anything() }) });

      lies.clear();
      await refreshed();
      expect((await view()).proofs[0]?.failure).toMatchObject({ rule });
      await wallet.ui('repair', { id: item?.id ?? '', action: 'dismiss' });
      expect(await attention()).toEqual([]);
      expect((await view()).proofs[0]?.failure).toMatchObject({ rule });
    },
  );

  test('the proof of somebody else or of another token is not one of this balance', async () => {
    const other = await openOther(relayer, { ETH: '5', LRC: '7' });
    const { lies, refreshed, account } = await behindWire();
    await seal(relayer);
    const proofOf = async (accountId: number, tokenId: number) =>
      (await fetch(`${relayer.url}${PROOF}?accountId=${accountId}&tokenId=${tokenId}`)).json() as Promise<ProofAnswer>;
    const foreign = await proofOf(other.accountId, 0);
    const otherToken = await proofOf(account.accountId, 1);
    lies.set(PROOF, (_answer, query) => (query.get('tokenId') === '0' ? foreign : otherToken));
    expect(rules(await refreshed())).toEqual(['leaf', null]);
    lies.set(PROOF, (_answer, query) => (query.get('tokenId') === '0' ? otherToken : foreign));
    const { proofs } = await refreshed();
    expect(proofs[0]).toMatchObject({ state: 'none', failure: { rule: 'leaf' } });
  });

  test('two roots for one block: the first one is kept beside the second', async () => {
    const { wallet, lies, refreshed, accountView, network } = await behindWire();
    await seal(relayer);
    lies.set(BYTES, (answer: { blocks: { rootAfter: string }[] }) => ({
      blocks: answer.blocks.map((block) => ({ ...block, rootAfter: `0x${'2'.padStart(64, '0')}` })),
    }));
    // The bytes have one root, and the answer around them another one.
    const [first] = (await refreshed()).proofs;
    expect(first).toMatchObject({ state: 'none', failure: { rule: 'two-roots' } });
    lies.set(PROOF, (answer: ProofAnswer) => ({ ...answer, root: `0x${'3'.padStart(64, '0')}` }));
    await refreshed();
    const failures = await wallet.background().wallet.balanceProofs.failures(accountView);
    const [, second] = failures.filter(({ tokenId }) => tokenId === 0);
    const roots = wallet.kept().local[`block-roots:${exchangeId(network)}`] as {
      roots: Record<string, { root: string }>;
    };
    expect(second).toMatchObject({
      rule: 'two-roots',
      root: `0x${'3'.padStart(64, '0')}`,
      other: { root: roots.roots[String(second?.blockId)]?.root },
    });
  });

  test('two roots for one block, each of which is shown to one of two readings at the same time', async () => {
    const stage = await behindWire();
    const { wallet, lies, account, accountView, view, refreshed } = stage;
    await seal(relayer);
    await refreshed();
    await openOther(relayer);
    await seal(relayer);
    const answer = await fetch(`${relayer.url}${PROOF}?accountId=${account.accountId}&tokenId=0`);
    const { blockId: newest } = (await answer.json()) as ProofAnswer;
    const state = new RollupState();
    state.setAccount(account.accountId, { owner: BigInt(account.owner) });
    await inventBlocks(stage, [newest, state]);
    const invented = { proof: lies.get(PROOF) as Lie, bytes: lies.get(BYTES) as Lie };
    lies.set(PROOF, (answer, query) => (query.get('tokenId') === '1' ? invented.proof(answer, query) : answer));
    let readings = 0;
    lies.set(BYTES, async (answer, query) => {
      const isSecond = ++readings === 2;
      await until(async () => readings === 2);
      return isSecond ? invented.bytes(answer, query) : answer;
    });
    const { config, balanceProofs } = wallet.background().wallet;
    const place = await config.place(accountView);
    if (!place.account || !place.network) throw new Error('no account');
    const [ether, lrc] = (await heldBy(wallet.ports, place.account)).map((one) => [one]);
    const first = balanceProofs.refresh(place.account, place.network, ether ?? []);
    await until(async () => readings === 1);
    await Promise.all([first, balanceProofs.refresh(place.account, place.network, lrc ?? [])]);
    const { proofs } = await view();
    expect(proofs.map(({ failure }) => failure?.rule).toSorted()).toEqual(['two-roots', undefined]);
    expect(proofs.filter(({ blockId }) => blockId === newest)).toHaveLength(1);
  });

  test('two roots for one block are said also when only the proof remembers the first one', async () => {
    const stage = await behindWire();
    const { wallet, account, accountView, network, refreshed } = stage;
    await seal(relayer);
    const { proofs } = await refreshed();
    const [first] = proofs;
    // As after a restore: the backup has the proofs, and no roots of blocks.
    await wallet.ports.local.remove([`block-roots:${exchangeId(network)}`]);
    const state = new RollupState();
    state.setAccount(account.accountId, { owner: BigInt(account.owner) });
    await inventBlocks(stage, [first?.blockId ?? 0, state]);
    expect(rules(await refreshed())[0]).toBe('two-roots');
    const [failure] = await wallet.background().wallet.balanceProofs.failures(accountView);
    expect(failure?.other?.root).not.toBe(failure?.root);
    expect((await refreshed()).proofs[0]).toMatchObject({ blockId: first?.blockId, proven: first?.proven });
  });

  test('a block that is rewritten behind a newer one is said', async () => {
    const { wallet, lies, refreshed, accountView, network } = await behindWire();
    await seal(relayer);
    const blockId = (await refreshed()).proofs[0]?.blockId ?? 0;
    const key = `block-roots:${exchangeId(network)}`;
    const { roots } = wallet.kept().local[key] as { roots: Record<string, { root: string; at: number }> };
    await openOther(relayer);
    await seal(relayer);
    const rewritten = '5'.padStart(64, '0');
    lies.set(BYTES, ({ blocks }: { blocks: { data: string }[] }) => ({
      blocks: blocks.map((block) => ({
        ...block,
        data: `${block.data.slice(0, 42)}${rewritten}${block.data.slice(106)}`,
      })),
    }));
    expect((await refreshed()).proofs[0]).toMatchObject({ blockId, failure: { rule: 'two-roots', blockId } });
    const [failure] = await wallet.background().wallet.balanceProofs.failures(accountView);
    expect(failure).toMatchObject({ root: `0x${rewritten}`, other: roots[blockId] });
    lies.clear();
    expect((await refreshed()).proofs[0]).toMatchObject({ state: 'proven', blockId: blockId + 1 });
  });

  test('a block whose number was made up keeps nothing away that is read after it', async () => {
    const stage = await behindWire();
    const { lies, account, refreshed } = stage;
    await seal(relayer);
    const proven = await refreshed();
    const state = new RollupState();
    state.setAccount(account.accountId, { owner: BigInt(account.owner) });
    await inventBlocks(stage, [Number.MAX_SAFE_INTEGER, state]);
    expect((await refreshed()).proofs).toMatchObject(
      Array(2).fill({ state: 'changed', blockId: Number.MAX_SAFE_INTEGER, failure: null }),
    );
    lies.clear();
    expect(await refreshed()).toEqual(proven);
  });

  test('a true state under another number than before does not hold', async () => {
    const { lies, refreshed, attention, wallet, network } = await behindWire();
    await seal(relayer);
    const proven = await refreshed();
    const roots = () => wallet.kept().local[`block-roots:${exchangeId(network)}`];
    const before = roots();
    const blockId = Number.MAX_SAFE_INTEGER;
    lies.set(PROOF, (answer: ProofAnswer) => ({ ...answer, blockId }));
    lies.set(BYTES, async () => {
      const newest = await fetch(`${relayer.url}${BYTES}?start=${proven.proofs[0]?.blockId}&limit=1`);
      const { blocks } = (await newest.json()) as { blocks: object[] };
      return { blocks: blocks.map((block) => ({ ...block, blockId })) };
    });
    const failure = { rule: 'two-numbers', blockId };
    expect((await refreshed()).proofs).toMatchObject(proven.proofs.map((proof) => ({ ...proof, failure })));
    expect(await attention()).toHaveLength(1);
    expect(roots()).toEqual(before);
  });

  test('an account that an earlier block has is in every later one: its proof is kept, and it is said', async () => {
    const stage = await behindWire();
    const { refreshed, attention, wallet, accountView } = stage;
    await seal(relayer);
    const proven = await refreshed();
    const kept = () => (wallet.kept().local[`proofs:${accountView}`] as { kept: object }).kept;
    const before = kept();
    const newest = proven.proofs[0]?.blockId ?? 0;

    // A process of the relayer that is behind says nothing wrong.
    await inventBlocks(stage, [newest - 1, stateWithoutAccount(1)]);
    expect(await refreshed()).toEqual(proven);
    expect(await attention()).toEqual([]);

    await inventBlocks(stage, [newest + 1, stateWithoutAccount(2)]);
    const { proofs } = await refreshed();
    const failure = { rule: 'removed', blockId: newest + 1 };
    expect(proofs).toMatchObject([
      { state: 'proven', blockId: newest, failure },
      { state: 'proven', blockId: newest, failure },
    ]);
    expect(await attention()).toHaveLength(1);
    expect(kept()).toEqual(before);
  });

  test('a block of another exchange proves nothing', async () => {
    const { lies, refreshed } = await behindWire();
    await seal(relayer);
    lies.set(BYTES, (answer: { blocks: { data: string }[] }) => ({
      blocks: answer.blocks.map((block) => ({ ...block, data: `0x${'9'.repeat(40)}${block.data.slice(42)}` })),
    }));
    expect(rules(await refreshed())).toEqual(['exchange', 'exchange']);
  });
});

describe('NFTs', () => {
  const CONTRACT = `0x${'c7'.repeat(20)}`;
  const idOf = (id: number) => `0x${id.toString(16).padStart(64, '0')}`;

  /**
   * A wallet whose account holds some NFTs of one contract, three of each, which no block has yet.
   */
  async function holding(ids: readonly number[]) {
    const stage = await behindWire();
    const { wallet, account, accountView } = stage;
    const nfts = async () => (await wallet.ui('getNfts', { account: accountView, refresh: true })).data ?? [];
    await seal(relayer);
    for (const id of ids) {
      await dev(relayer, 'nftDeposit', { owner: account.owner, tokenAddress: CONTRACT, nftId: idOf(id), amount: '3' });
    }
    await until(async () => (await nfts()).filter(({ total }) => total === '3').length === ids.length);
    const refreshed = async () => {
      await nfts();
      return (await stage.refreshed()).proofs.filter(({ nft }) => nft !== null);
    };
    return { ...stage, nfts, refreshed };
  }

  test('are proven as tokens are, and before a block has them not, which is no fault', async () => {
    const { refreshed, view, asked, nfts, attention } = await holding([7, 8]);
    expect(await refreshed()).toMatchObject([
      { state: 'none', failure: null },
      { state: 'none', failure: null },
    ]);
    expect(await view()).toMatchObject({ offered: 'yes', proofs: [{ state: 'proven' }, { state: 'proven' }, {}, {}] });
    await seal(relayer);
    const proven = await refreshed();
    expect(proven).toMatchObject([
      { state: 'proven', proven: '3', total: '3', nft: { nftId: idOf(7) }, token: { tokenId: 32768, decimals: 0 } },
      { state: 'proven', proven: '3', nft: { nftId: idOf(8) }, token: { tokenId: 32769 } },
    ]);
    expect(new Set((await view()).proofs.map(({ blockId }) => blockId)).size).toBe(1);
    // Reading the NFTs alone asks as well, and nobody waits for it.
    await openOther(relayer);
    await seal(relayer);
    asked.length = 0;
    await nfts();
    await until(async () => asked.includes(`${PROOF} 32769`));
    await until(async () => ((await view()).proofs[3]?.blockId ?? 0) > (proven[1]?.blockId ?? 0));
    expect(await attention()).toEqual([]);
  });

  test('that the relayer shows otherwise than its block has them are not proven', async () => {
    const { refreshed, lies } = await holding([9]);
    await seal(relayer);
    const shownAs = async (change: object) => {
      lies.set(NFTS, ({ data, ...page }: { data: object[] }) => ({
        ...page,
        data: data.map((slot) => ({ ...slot, ...change })),
      }));
      return (await refreshed())[0];
    };
    expect(await shownAs({})).toMatchObject({ state: 'proven' });
    expect(await shownAs({ total: '4' })).toMatchObject({ state: 'changed', proven: '3' });
    expect(await shownAs({ nftId: idOf(1) })).toMatchObject({ state: 'other-nft' });
    expect(await shownAs({ tokenAddress: `0x${'d1'.repeat(20)}` })).toMatchObject({ state: 'other-nft' });
    expect(await shownAs({ nftData: idOf(5) })).toMatchObject({ state: 'other-nft', failure: null });
  });

  test.each([
    [
      'of another NFT',
      'root',
      ({ proof, ...answer }: ProofAnswer) => ({ ...answer, proof: { ...proof, nft: { ...proof.nft, nftID: '1' } } }),
    ],
    [
      'of another slot',
      'leaf',
      async (_answer: ProofAnswer, accountId: number) =>
        (await fetch(`${relayer.url}${PROOF}?accountId=${accountId}&tokenId=32769`)).json(),
    ],
  ] as const)('a proof %s does not hold (%s): shown, and kept', async (_what, rule, lie) => {
    const { refreshed, lies, account, attention } = await holding([10, 11]);
    // Before there is a block, because what was read last may still be asked for.
    lies.set(PROOF, (answer: ProofAnswer, query) =>
      query.get('tokenId') === '32768' && 'proof' in answer ? lie(answer, account.accountId) : answer,
    );
    await seal(relayer);
    expect(await refreshed()).toMatchObject([{ state: 'none', failure: { rule } }, { state: 'proven' }]);
    expect(await attention()).toHaveLength(1);
  });

  test('in many slots are asked for in turns, and the first 200 are kept', async () => {
    const { wallet, accountView, asked, refreshed, nfts } = await holding([20]);
    await seal(relayer);
    const [own] = await nfts();
    // Waits for the proofs that this reading asks for: they would be asked for the slots below.
    await refreshed();
    const stored = wallet.kept().local[`nfts:${accountView}`] as { at: number };
    const many = Array.from({ length: 230 }, (_, index) => ({ ...own, slot: 32768 + index }));
    await wallet.ports.local.set({ [`nfts:${accountView}`]: { ...stored, data: many } });
    const { config, balanceProofs } = wallet.background().wallet;
    const { account, network } = await config.place(accountView);
    if (!account || !network) throw new Error('no account');
    await openOther(relayer);
    await seal(relayer);
    asked.length = 0;
    const held = await heldBy(wallet.ports, account);
    await balanceProofs.refresh(account, network, held);
    const slots = asked.filter((one) => one.startsWith(PROOF)).map((one) => Number(one.split(' ')[1]));
    // Those without a proof first.
    expect(slots).toEqual([0, 1, ...Array.from({ length: 20 }, (_, index) => 32769 + index)]);
    expect((await balanceProofs.view(account, network, held, () => true)).proofs).toHaveLength(202);

    const kept = (wallet.kept().local[`proofs:${accountView}`] as { kept: Record<string, object> }).kept;
    const old = Object.fromEntries(
      // By a clock that was ahead: as good as without a time.
      Array.from({ length: 230 }, (_, index) => [32800 + index, { ...kept[32768], at: index || 9e12 }]),
    );
    await wallet.ports.local.set({
      [`proofs:${accountView}`]: { version: 1, offered: 'yes', kept: { 0: kept[0], ...old }, failures: [] },
    });
    await balanceProofs.refresh(account, network, held.slice(0, 2));
    const left = Object.keys((wallet.kept().local[`proofs:${accountView}`] as { kept: object }).kept).map(Number);
    expect(left.filter((tokenId) => tokenId >= 32768)).toEqual(
      Array.from({ length: 200 }, (_, index) => 32830 + index),
    );
    expect(left).toEqual(expect.arrayContaining([0, 1]));
  });

  test('are in the saved file, which says which NFT lies in the slot, and in the backup', async () => {
    const { wallet, refreshed, accountView, account, view } = await holding([12]);
    await seal(relayer);
    const [first] = await refreshed();
    const { text } = await wallet.ui('exportBalanceProofs', { account: accountView });
    const path = join(folder, 'nfts.jsonl');
    writeFileSync(path, text);
    const { code, lines } = await verify(path);
    expect(lines.slice(-3)).toEqual([
      expect.stringContaining(
        `block ${first?.blockId}, account ${account.accountId} of ${account.owner.toLowerCase()}, slot 32768 with NFT ${idOf(12)} of ${CONTRACT}: 3, in the state with root 0x`,
      ),
      ROOTS_OF_THE_FILE,
      '3 proofs checked, 0 do not hold',
    ]);
    expect(code).toBe(0);
    const { file } = await wallet.ui('exportBackup', { password: PASSWORD });
    const elsewhere = createWalletHarness();
    await elsewhere.ui('restoreBackup', { file, password: PASSWORD });
    await elsewhere.ui('getHome', { refresh: true });
    await elsewhere.ui('getNfts', { account: accountView, refresh: true });
    const restored = await elsewhere.ui('getBalanceProofs', { account: accountView });
    expect(restored.proofs).toEqual((await view()).proofs);
  });
});

describe('what is kept of proofs', () => {
  test('is saved as a file that anybody checks offline, with what was wrong', async () => {
    const { wallet, lies, refreshed, accountView, account, network } = await behindWire();
    await seal(relayer);
    const { proofs } = await refreshed();
    const [first, second] = proofs;
    lies.set(PROOF, (answer: ProofAnswer) => ({ ...answer, root: `0x${'4'.padStart(64, '0')}` }));
    await refreshed();
    const { fileName, text } = await wallet.ui('exportBalanceProofs', { account: accountView });
    expect(fileName).toMatch(new RegExp(`^countersign-proofs-${account.accountId}-\\d{4}-\\d\\d-\\d\\d\\.jsonl$`));
    const saved = text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(saved[0]).toMatchObject({
      chainId: network.chainId,
      exchange: network.exchangeAddress,
      relayer: relayer.url,
      accountId: account.accountId,
      tokenId: 0,
      blockId: first?.blockId,
    });
    const path = join(folder, fileName);
    writeFileSync(path, text);
    const place = `exchange ${network.exchangeAddress}, block ${first?.blockId}`;
    const said = (tokenId: number, amount: string | null | undefined) =>
      `${place}, account ${account.accountId} of ${account.owner.toLowerCase()}, token ${tokenId}: ${amount}`;
    const [{ root }, , { root: wrong }] = saved;
    expect(await verify(path)).toEqual({
      code: 0,
      errors: '',
      lines: [
        `${said(0, first?.proven)}, in the state with root ${root}`,
        `${said(1, second?.proven)}, in the state with root ${root}`,
        `kept as wrong (two-roots; another root of the block is ${root}): ${said(0, first?.proven)} is not part of the state with root ${wrong}`,
        ROOTS_OF_THE_FILE,
        '2 proofs checked, 0 do not hold',
      ],
    });
  });

  test('is in a backup and comes back with it', async () => {
    const { wallet, lies, refreshed, accountView, view } = await behindWire();
    await seal(relayer);
    await refreshed();
    lies.set(PROOF, (answer: ProofAnswer) => ({ ...answer, root: `0x${'6'.padStart(64, '0')}` }));
    await refreshed();
    const known = wallet.kept().local[`proofs:${accountView}`];
    const { file } = await wallet.ui('exportBackup', { password: PASSWORD });
    const elsewhere = createWalletHarness();
    await elsewhere.ui('restoreBackup', { file, password: PASSWORD });
    expect(elsewhere.kept().local[`proofs:${accountView}`]).toEqual(known);
    await elsewhere.ui('getHome', { refresh: true });
    const restored = await elsewhere.ui('getBalanceProofs', { account: accountView });
    expect(restored.proofs).toEqual((await view()).proofs);
  });

  test('is shown and saved also of what the relayer no longer lists, and when it gives no proofs any more', async () => {
    const { wallet, lies, refreshed, accountView } = await behindWire();
    await seal(relayer);
    const { proofs } = await refreshed();
    const unlisted = { state: 'changed', total: null, failure: null };
    lies.set(BALANCES, (rows: { tokenId: number }[]) => rows.filter(({ tokenId }) => tokenId !== 1));
    lies.set(PROOF, () => Response.json({ error: 'not found' }, { status: 404 }));
    const view = await refreshed();
    expect(view.offered).toBe('no');
    expect(view.proofs).toEqual([proofs[0], { ...proofs[1], ...unlisted }]);

    const place = `proofs:${accountView}`;
    const known = wallet.kept().local[place] as { kept: Record<string, object> };
    const slot = { ...known.kept[1], tokenId: 40_000, rule: 'leaf', other: null };
    await wallet.ports.local.set({ [place]: { ...known, failures: [slot] } });
    const { file } = await wallet.ui('exportBackup', { password: PASSWORD });
    const elsewhere = createWalletHarness();
    await elsewhere.ui('restoreBackup', { file, password: PASSWORD });
    const restored = await elsewhere.ui('getBalanceProofs', { account: accountView });
    // Nothing was read there yet.
    expect(restored.proofs.slice(0, 2)).toEqual(proofs.map((proof) => ({ ...proof, ...unlisted, state: 'unread' })));
    expect(restored.proofs.slice(2)).toMatchObject([
      { token: { symbol: 'NFT #40000' }, nft: null, total: null, state: 'none', failure: { rule: 'leaf' } },
    ]);
  });
});

describe('one proof', () => {
  test('proves the balance of its own account, owner, token and key, and of nothing else', async () => {
    const { account, wallet, accountView } = await behindWire();
    await seal(relayer);
    const { config } = wallet.background().wallet;
    const { account: stored } = await config.place(accountView);
    if (!stored) throw new Error('no account');
    const { proof: json, root } = await until(async () => {
      const answer = await fetch(`${relayer.url}${PROOF}?accountId=${account.accountId}&tokenId=1`);
      return answer.ok && ((await answer.json()) as ProofAnswer);
    });
    const proof = parseMerkleProof(json);
    const total = proof.balanceLeaf.balance.toString();
    expect(checkProof(proof, root, stored, 1)).toBeNull();
    expect(proofState(proof, stored, { total, nft: null })).toBe('proven');
    expect(checkProof(proof, root, { ...stored, accountId: stored.accountId + 1 }, 1)).toBe('leaf');
    expect(checkProof(proof, root, { ...stored, owner: `0x${'1'.repeat(40)}` }, 1)).toBe('leaf');
    expect(checkProof(proof, root, stored, 0)).toBe('leaf');
    expect(checkProof(proof, `0x${'5'.padStart(64, '0')}`, stored, 1)).toBe('root');
    expect(proofState(proof, stored, { total: (BigInt(total) - 1n).toString(), nft: null })).toBe('changed');
    for (const publicKey of [
      { ...stored.publicKey, x: '0x1' },
      { ...stored.publicKey, y: '0x1' },
    ])
      expect(proofState(proof, { publicKey }, { total, nft: null })).toBe('other-key');
  });

  test('the header of a published block is read as the whole block is', async () => {
    await seal(relayer);
    const { blocks } = (await (await fetch(`${relayer.url}${BYTES}?limit=3`)).json()) as { blocks: { data: string }[] };
    expect(blocks.length).toBeGreaterThan(0);
    for (const { data } of blocks) {
      const { header } = decodeBlock(Buffer.from(data.slice(2), 'hex'));
      const { exchange, rootBefore, rootAfter } = headerOf(data);
      const roots = [header.rootBefore, header.rootAfter];
      expect([exchange, rootBefore, rootAfter].map(BigInt)).toEqual([header.exchange, ...roots]);
    }
  });

  test('of many failures the first ones and the newest are kept, each once', () => {
    const failure = (blockId: number) =>
      ({ blockId, root: '0x1', at: 5, proof: {}, tokenId: 0, rule: 'root', other: null }) as const;
    let failures = readProofs(undefined).failures;
    for (let blockId = 0; blockId < 30; blockId++) failures = withFailure(failures, failure(blockId));
    expect(failures.map(({ blockId }) => blockId)).toEqual([...Array.from({ length: 19 }, (_, index) => index), 29]);
    expect(withFailure(failures, failure(3))).toBe(failures);
  });

  test('of the roots of many blocks those that were seen last are kept, whatever their numbers', () => {
    const madeUp = Array.from({ length: 200 }, (_, at) => [Number.MAX_SAFE_INTEGER - at, { root: '0x1', at }] as const);
    const { roots } = rootsForm(new Map([[7, { root: '0x2', at: 200 }], ...madeUp]));
    expect(Object.keys(roots)).toHaveLength(200);
    expect(roots[7]).toEqual({ root: '0x2', at: 200 });
    expect(roots[Number.MAX_SAFE_INTEGER]).toBeUndefined();
  });

  test('what is damaged on the disk costs itself', () => {
    const failure = { blockId: 1, root: '0x1', at: 5, proof: {}, tokenId: 0, rule: 'leaf', other: null };
    const read = readProofs({
      offered: 'maybe',
      kept: { 1: { blockId: 3, root: '0x1', at: 1, proof: {} }, 2: 7 },
      failures: [failure, { rule: 'root' }],
    });
    expect(read).toMatchObject({ offered: null, failures: [failure] });
    expect(read.kept.size).toBe(0);
  });
});
