import { beforeEach, describe, expect, test } from 'vitest';
import { createGrants } from '../../src/background/sites/grants.ts';
import { permissionsOf } from '../../src/background/sites/permissionsOf.ts';
import { createSite } from '../../src/background/sites/site.ts';
import { siteInForce } from '../../src/background/sites/siteInForce.ts';
import { tellLock } from '../../src/background/sites/tellLock.ts';
import { tellMissed, tellSite } from '../../src/background/sites/visibility.ts';
import { chainOf, hexChain, networkOf, ownersSeen } from '../../src/background/sites/visibleAccounts.ts';
import type { PageMessage } from '../../src/inpage/protocol.ts';
import { createFaultyArea } from '../support/faultyArea.ts';
import { createPromiseLock } from '../support/promiseLock.ts';

const SITE = 'https://site.example';
const OTHER = 'https://other.example';

const networkOfId = (id: string, chainId: number) => ({ id, name: id, baseUrl: '', chainId, exchangeAddress: '' });
const accountOf = (id: string, networkId: string) => ({ id, networkId, owner: `0x${id}` });

let networks: ReturnType<typeof networkOfId>[];
let accounts: ReturnType<typeof accountOf>[];
let areas: { local: ReturnType<typeof createFaultyArea>; session: ReturnType<typeof createFaultyArea> };
let grants: ReturnType<typeof createGrants>;
let told: [origin: string, event: string, data: unknown][];
let isUnlocked: boolean;
beforeEach(() => {
  networks = [networkOfId('one', 1), networkOfId('two', 2), networkOfId('twin', 2), networkOfId('empty', 3)];
  accounts = [accountOf('a', 'one'), accountOf('b', 'two'), accountOf('c', 'one'), accountOf('d', 'twin')];
  areas = { local: createFaultyArea(), session: createFaultyArea() };
  grants = createGrants(createFaultyArea().area, createPromiseLock());
  told = [];
  isUnlocked = true;
});

const sites = () => ({
  grants,
  config: { read: async () => ({ networks, accounts }) },
  vault: { isUnlocked: async () => isUnlocked },
  ports: {
    ...{ lock: createPromiseLock(), local: areas.local.area, session: areas.session.area },
    async toAllPages(origin: string, message: PageMessage) {
      if ('event' in message) told.push([origin, message.event, message.data]);
    },
  },
});
const heard = () => told.splice(0);

describe('a site sees', () => {
  test('the accounts of one network, which its first grant decides', async () => {
    await grants.grant(SITE, ['c', 'b', 'gone', 'a'], ['read']);
    const site = createSite({ ...sites(), changed: async () => {} } as never, SITE);
    expect(site.origin).toBe(SITE);
    expect(await createSite({ ...sites(), changed: async () => {} } as never, OTHER).kindsOf('c')).toEqual([]);
    expect(await site.owners()).toEqual(['0xc', '0xa']);
    expect((await site.accounts()).map(({ id }) => id)).toEqual(['c', 'a']);
    expect(await site.chain()).toBe('0x1');
    expect(await site.network()).toEqual(networks[0]);
    await grants.prefer(SITE, ['b'], ['read']);
    expect([await site.owners(), await site.chain()]).toEqual([['0xb'], '0x2']);
  });

  test('nothing before it is connected but the chain of the first network, if there is one', async () => {
    expect(await ownersSeen(sites(), SITE)).toEqual([]);
    expect(await chainOf(sites(), SITE)).toBe('0x1');
    networks = [];
    expect(await chainOf(sites(), SITE)).toBe('0x0');
    expect(await networkOf(sites(), SITE)).toBeUndefined();
    await tellSite(sites(), SITE);
    expect(heard()).toEqual([]);
    expect([hexChain(31337), hexChain(undefined)]).toEqual(['0x7a69', '0x0']);
  });

  test('its permissions as EIP-2255 lists them, for the accounts that it sees', async () => {
    expect(await permissionsOf(sites(), SITE)).toEqual([]);
    await grants.grant(SITE, ['a'], ['orders']);
    await grants.extend(SITE, 'c', ['read']);
    await grants.extend(SITE, 'b', ['nfts']);
    const permission = (parentCapability: string, ...value: string[]) => ({
      ...{ invoker: SITE, parentCapability },
      caveats: [{ type: 'restrictReturnedAccounts', value }],
    });
    const listed = await permissionsOf(sites(), SITE);
    expect(listed[0]).toEqual(permission('eth_accounts', '0xa', '0xc'));
    expect(listed).toHaveLength(3);
    expect(listed).toEqual(
      expect.arrayContaining([permission('relayer_orders', '0xa'), permission('relayer_read', '0xc')]),
    );
    const site = createSite({ ...sites(), changed: async () => {} } as never, SITE);
    expect(await site.permissions()).toEqual(listed);
    expect([await site.kindsOf('c'), await site.kindsOf('d')]).toEqual([['read'], []]);
  });

  test('nothing of what was granted while it is blocked', () => {
    const view = { origin: SITE, grants: [{ account: 'a', kinds: ['read'] }] };
    expect(siteInForce({ ...view, blocked: true } as never)).toEqual({ ...view, blocked: true, grants: [] });
    expect(siteInForce({ ...view, blocked: false } as never)).toEqual({ ...view, blocked: false });
    expect(siteInForce(undefined)).toBeUndefined();
  });
});

describe('a site finds', () => {
  const site = () => createSite({ ...sites(), changed: async () => {} } as never, SITE);

  test('the network of a chain that has an account', async () => {
    expect((await site().networkOfChain(2))?.id).toBe('two');
    expect(await site().networkOfChain(3)).toBeUndefined();
    expect(await site().networkOfChain(9)).toBeUndefined();
  });

  test('of two networks of one chain the one that it was on', async () => {
    await grants.grant(SITE, ['a', 'd'], ['read']);
    expect((await site().networkOfChain(2))?.id).toBe('twin');
    expect((await site().networkOfChain(1))?.id).toBe('one');
  });
});

describe('a site gives back', () => {
  let changed: string[];
  const site = () =>
    createSite({ ...sites(), changed: async (origin: string) => void changed.push(origin) } as never, SITE);
  const left = async (origin = SITE) =>
    (await grants.of(origin))?.grants.map(({ account, kinds }) => [account, kinds]) ?? [];
  beforeEach(async () => {
    changed = [];
    for (const origin of [SITE, OTHER]) await grants.grant(origin, ['a', 'b'], ['read', 'orders', 'nfts']);
  });

  test('permissions of all its accounts', async () => {
    await site().revoke(['orders', 'nfts'], false);
    expect(await left()).toEqual([
      ['a', ['read']],
      ['b', ['read']],
    ]);
    expect(changed).toEqual([SITE]);
    expect((await left(OTHER))[0]).toEqual(['a', ['read', 'orders', 'nfts']]);
  });

  test('the whole connection', async () => {
    await site().revoke([], true);
    expect(await left()).toEqual([]);
    expect(await left(OTHER)).toHaveLength(2);
    expect(changed).toEqual([SITE]);
    await site().revoke(['read'], false);
    expect(changed).toEqual([SITE, SITE]);
  });
});

describe('the pages of a site hear', () => {
  const GONE = { code: 4900, message: 'This site sees no account any more.' };

  test('that it is connected and which accounts it sees, once', async () => {
    await tellSite(sites(), SITE);
    expect(heard()).toEqual([]);
    await grants.grant(SITE, ['a'], ['read']);
    await tellSite(sites(), SITE);
    expect(heard()).toEqual([
      [SITE, 'connect', { chainId: '0x1' }],
      [SITE, 'accountsChanged', ['0xa']],
    ]);
    await tellSite(sites(), SITE);
    expect(heard()).toEqual([]);
  });

  test('each change once, also when two are told at the same time', async () => {
    await grants.grant(SITE, ['a'], ['read']);
    const rooms = sites();
    await Promise.all([tellSite(rooms, SITE), tellSite(rooms, SITE)]);
    expect(heard()).toEqual([
      [SITE, 'connect', { chainId: '0x1' }],
      [SITE, 'accountsChanged', ['0xa']],
    ]);
  });

  test('of another network, other accounts, and the end of the connection', async () => {
    await grants.grant(SITE, ['a'], ['read']);
    await tellSite(sites(), SITE);
    heard();
    await grants.prefer(SITE, ['b'], ['read']);
    await tellSite(sites(), SITE);
    expect(heard()).toEqual([
      [SITE, 'chainChanged', '0x2'],
      [SITE, 'accountsChanged', ['0xb']],
    ]);
    await grants.revoke(SITE);
    await tellSite(sites(), SITE);
    expect(heard()).toEqual([
      [SITE, 'chainChanged', '0x1'],
      [SITE, 'accountsChanged', []],
      [SITE, 'disconnect', GONE],
    ]);
    expect(areas.local.dump()).toBe('told={}');
    await tellSite(sites(), SITE);
    expect(heard()).toEqual([]);
  });

  test('of another exchange also when owner and chain are the same', async () => {
    accounts.push({ ...accountOf('d', 'two'), id: 'e' });
    await grants.grant(SITE, ['e', 'd'], ['read']);
    await tellSite(sites(), SITE);
    heard();
    await grants.grant(SITE, ['d'], ['read']);
    await tellSite(sites(), SITE);
    expect(heard()).toEqual([
      [SITE, 'chainChanged', '0x2'],
      [SITE, 'accountsChanged', ['0xd']],
    ]);
    await tellSite(sites(), SITE);
    expect(heard()).toEqual([]);
  });

  test('no chain once it is blocked', async () => {
    await grants.grant(SITE, ['b'], ['read']);
    await tellSite(sites(), SITE);
    expect(heard().map(([, event]) => event)).toEqual(['connect', 'accountsChanged']);
    await grants.setBlocked(SITE, true);
    await tellSite(sites(), SITE);
    expect(heard()).toEqual([
      [SITE, 'accountsChanged', []],
      [SITE, 'disconnect', GONE],
    ]);
  });

  test('each for itself, and nothing of it is written again', async () => {
    for (const origin of [SITE, OTHER]) await grants.grant(origin, ['a'], ['read']);
    for (const origin of [SITE, OTHER]) await tellSite(sites(), origin);
    const told = { accounts: ['0xa'], chainId: '0x1', networkId: 'one' };
    expect(JSON.parse(areas.local.entries.get('told') ?? '')).toEqual({ [SITE]: told, [OTHER]: told });
    areas.local.failWrite(0);
    await tellSite(sites(), SITE);
    await grants.revoke(SITE);
    heard();
    await expect(tellSite(sites(), SITE)).rejects.toThrow('injected fault');
    areas.local.heal();
    // It was interrupted before it was written down, so it is told again.
    await tellSite(sites(), SITE);
    expect(heard().map(([, event]) => event)).toEqual([
      'accountsChanged',
      'disconnect',
      'accountsChanged',
      'disconnect',
    ]);
    expect(JSON.parse(areas.local.entries.get('told') ?? '')).toEqual({ [OTHER]: told });
  });

  test('each also when what another one was told cannot be read', async () => {
    for (const origin of [SITE, OTHER]) await grants.grant(origin, ['a'], ['read']);
    for (const origin of [SITE, OTHER]) await tellSite(sites(), origin);
    const stored = JSON.parse(areas.local.entries.get('told') ?? '');
    await areas.local.area.set({ told: { ...stored, [OTHER]: { accounts: 7 } } });
    heard();
    await grants.revoke(SITE);
    await tellSite(sites(), SITE);
    expect(heard().map(([, event]) => event)).toEqual(['accountsChanged', 'disconnect']);
    expect(JSON.parse(areas.local.entries.get('told') ?? '')).toEqual({});
  });

  test('at the next start what they missed, and nothing while they are blocked', async () => {
    await grants.grant(SITE, ['a'], ['read']);
    await grants.grant(OTHER, ['a'], ['read']);
    await grants.setBlocked(OTHER, true);
    await tellMissed(sites());
    expect(heard().map(([origin, event]) => [origin, event])).toEqual([
      [SITE, 'connect'],
      [SITE, 'accountsChanged'],
    ]);
    await grants.setBlocked(OTHER, false);
    await tellSite(sites(), OTHER);
    await grants.revoke(SITE);
    await grants.setBlocked(OTHER, true);
    heard();
    await tellMissed(sites());
    expect(heard().map(([origin, event]) => [origin, event])).toEqual([
      [SITE, 'accountsChanged'],
      [SITE, 'disconnect'],
    ]);
  });

  test('of a start, whose reads do not grow with the sites that have nothing to hear', async () => {
    const { area } = createFaultyArea();
    let reads = 0;
    const get = (key: string) => {
      reads += 1;
      return area.get(key);
    };
    grants = createGrants({ ...area, get }, createPromiseLock());
    for (let site = 0; site < 20; site++) await grants.grant(`https://${site}.example`, ['a'], ['read']);
    await tellMissed(sites());
    expect(heard()).toHaveLength(40);
    await grants.revoke('https://7.example');
    reads = 0;
    await tellMissed(sites());
    expect(heard().map(([origin, event]) => [origin, event])).toEqual([
      ['https://7.example', 'accountsChanged'],
      ['https://7.example', 'disconnect'],
    ]);
    expect(reads).toBeLessThan(10);
    reads = 0;
    await tellLock(sites());
    expect(heard()).toHaveLength(19);
    expect(reads).toBe(1);
  });

  test('also when what was kept of it is damaged', async () => {
    await areas.local.area.set({ told: { [SITE]: { accounts: 'bad' } } });
    await grants.grant(SITE, ['a'], ['read']);
    await tellSite(sites(), SITE);
    expect(heard().map(([, event]) => event)).toEqual(['connect', 'accountsChanged']);
  });
});

describe('the lock is told', () => {
  const locked = (value: boolean) => ['message', { type: 'relayer_lock', data: { locked: value } }];
  beforeEach(async () => {
    await grants.grant(SITE, ['a'], ['read']);
    await grants.grant(OTHER, ['gone'], ['read']);
    await grants.grant('https://blocked.example', ['a'], ['read']);
    await grants.setBlocked('https://blocked.example', true);
  });

  test('to the sites that see an account, at each change and once', async () => {
    await tellLock(sites());
    expect(heard()).toEqual([[SITE, ...locked(false)]]);
    expect(areas.session.dump()).toBe('told-locked=false');
    await tellLock(sites());
    expect(heard()).toEqual([]);
    isUnlocked = false;
    await tellLock(sites());
    expect(heard()).toEqual([[SITE, ...locked(true)]]);
  });

  test('not at the start of a browser, whose pages begin locked', async () => {
    isUnlocked = false;
    await tellLock(sites());
    expect(heard()).toEqual([]);
    expect(areas.session.dump()).toBe('');
  });

  test('again when it was interrupted', async () => {
    areas.session.failWrite(0);
    await expect(tellLock(sites())).rejects.toThrow('injected fault');
    areas.session.heal();
    await tellLock(sites());
    expect(heard()).toEqual([
      [SITE, ...locked(false)],
      [SITE, ...locked(false)],
    ]);
  });
});
