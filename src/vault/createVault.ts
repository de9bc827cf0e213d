import { bytesToHex } from '@noble/hashes/utils.js';
import type { UseStore } from 'idb-keyval';
import { metElsewhere, reported } from '../report/report.ts';
import { databaseArea, type KeyValueArea } from '../storage/area.ts';
import type { Lock } from '../storage/lock.ts';
import { attachedAssociatedData, backupText, parseBackup } from './backup.ts';
import { type Bytes, toBase64, utf8 } from './encoding.ts';
import { VaultError } from './errors.ts';
import {
  fromEnvelope,
  imageVersion,
  infoSchema,
  type Owner,
  type PasskeyWrap,
  type PasswordWrap,
  passkeysOf,
  passwordOf,
  recordAssociatedData,
  type SecretInfo,
  toEnvelope,
  type VaultImage,
  type VaultRecord,
  type Wrap,
} from './image.ts';
import { createImageStore } from './imageStore.ts';
import { checkKdfCost, defaultKdfCost, deriveKey, type KdfCost, type KdfHeader } from './kdf.ts';
import { passkeyKey } from './passkey.ts';
import { importDataKey, open, seal } from './seal.ts';
import { createSession, defaultIdleMs } from './session.ts';
import { directData, isKeyPairWrap, newWrap, openWrap, rewrap } from './wrap.ts';

export interface VaultOptions {
  readonly stores: {
    /** The primary one: of strict durability, in a database of its own (`createStores`). */
    readonly primary: UseStore;
    /** Of the second copy; another one. */
    readonly copy: KeyValueArea;
    /** Where the unlocked state lives: `storage.session`, closed to content scripts. */
    readonly session: KeyValueArea;
  };
  readonly lock: Lock;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Cryptographically random bytes. */
  readonly randomBytes?: (length: number) => Bytes;
  /** Cost of new passwords, within `kdfBounds`. Existing ones keep the cost in their header. */
  readonly kdfCost?: KdfCost;
}

export interface SecretChanges {
  /** New secrets, or new values of existing ones with the same account and kind. */
  readonly put?: readonly { readonly info: SecretInfo; readonly bytes: Uint8Array }[];
  /** Ids; unknown ones are passed over. */
  readonly remove?: readonly string[];
  /** Id of a secret without which nothing is changed. */
  readonly beside?: string | undefined;
}

/** Result of opening with a password or a passkey. */
interface Opened {
  readonly dataKey: Bytes;
  /** The wrap that it opened, in the present form. */
  readonly current: Wrap;
}

/** For work that runs alone: no renewal can be in progress. */
const atOnce = <T>(work: () => Promise<T>): Promise<T> => work();

const isSameWay = (a: Wrap, b: Wrap): boolean =>
  a.method === 'password'
    ? b.method === 'password' && a.kdf.salt === b.kdf.salt
    : b.method === 'passkey' && a.credentialId === b.credentialId;

const webRandom = (length: number): Bytes => crypto.getRandomValues(new Uint8Array(length));

/**
 * The encrypted secrets of all accounts: password → key-encryption key → data key → one record for
 * each secret.
 * @throws {VaultError} From every method, with no secret in any message; failures of the session
 *   store and of `before` pass as they are.
 */
export type Vault = ReturnType<typeof createVault>;

export function createVault(options: VaultOptions) {
  const { stores, lock, now, randomBytes = webRandom, kdfCost = defaultKdfCost } = options;
  checkKdfCost(kdfCost);
  const images = createImageStore(databaseArea(stores.primary), stores.copy);
  const session = createSession(stores.session, now, randomBytes);
  /** Changes of the image run one at a time in the whole extension. */
  const alone = <T>(work: () => Promise<T>): Promise<T> => lock('countersign/vault', work);
  /** Orders unlock, touch and renewal; `lock` itself never waits. */
  const withSession = <T>(work: () => Promise<T>): Promise<T> => lock('countersign/vault/session', work);

  /** Locks and wipes of this worker lifetime. A deadline that passes is none. */
  let locks = 0;
  const close = (): Promise<void> => {
    locks += 1;
    return session.close();
  };
  /**
   * Opens the session, unless it was locked since `before`, the number of locks then.
   * @returns Whether it is open.
   */
  const openSince = (before: number, keyId: string, dataKey: Bytes, idleMs: number): Promise<boolean> =>
    withSession(async () => {
      if (locks !== before) return false;
      await session.open(keyId, dataKey, idleMs);
      return true;
    });

  async function existing(): Promise<VaultImage> {
    const image = await images.read();
    if (!image) throw new VaultError('missing');
    return image;
  }

  const randomName = () => bytesToHex(randomBytes(16));

  /** A way to the data key by a password, under a new salt. */
  async function wrapFor(owner: Owner, password: string, dataKey: Bytes): Promise<PasswordWrap> {
    const kdf: KdfHeader = { name: 'argon2id', ...kdfCost, salt: toBase64(randomBytes(16)) };
    const head = { method: 'password', kdf } as const;
    return { ...head, ...(await newWrap(await deriveKey(password, kdf), head, owner, dataKey, randomBytes)) };
  }

  /**
   * Opens one wrap. `current`: the wrap in the present form, when it was stored in an earlier one.
   */
  async function openWith<T extends Wrap>(image: VaultImage, wrap: T, opening: CryptoKey): Promise<Opened | undefined> {
    if (isKeyPairWrap(wrap)) {
      const dataKey = await openWrap(opening, wrap, image);
      return dataKey && { dataKey, current: wrap };
    }
    const { sealed, ...head } = wrap as Extract<Wrap, { sealVersion: 1 }>;
    const dataKey = await open(opening, sealed, directData(image.vaultId, wrap));
    if (!dataKey) return undefined;
    return { dataKey, current: { ...head, ...(await newWrap(opening, head, image, dataKey, randomBytes)) } as Wrap };
  }

  /**
   * @returns The raw data key; the caller wipes it. @throws {VaultError} `wrong-password`,
   *   `kdf-bounds`, `corrupt`.
   */
  async function unwrap(image: VaultImage, password: string): Promise<Opened> {
    const wrap = passwordOf(image);
    const opened = await openWith(image, wrap, await deriveKey(password, wrap.kdf));
    if (opened) return opened;
    throw new VaultError('wrong-password');
  }

  /** Runs `use` with what the password opens, and wipes it afterwards. @throws As `unwrap`. */
  async function withOpened<T>(image: VaultImage, password: string, use: (opened: Opened) => Promise<T>): Promise<T> {
    const opened = await unwrap(image, password);
    try {
      return await use(opened);
    } finally {
      opened.dataKey.fill(0);
    }
  }

  /** @returns The raw data key; the caller wipes it. @throws {VaultError} `wrong-passkey`. */
  async function unwrapWithPasskey(image: VaultImage, credentialId: string, prf: Bytes): Promise<Opened> {
    const wrap = passkeysOf(image).find((passkey) => passkey.credentialId === credentialId);
    const opened = wrap && (await openWith(image, wrap, await passkeyKey(prf, image.vaultId)));
    if (opened) return opened;
    throw new VaultError('wrong-passkey');
  }

  /**
   * Opens the session with the data key that `unwrapImage` gives, and wipes it. Then repairs a
   * store that is damaged, behind, or holds what an earlier data key opens.
   * @throws {VaultError} `locked`: it was locked meanwhile.
   */
  async function openSession(unwrapImage: (image: VaultImage) => Promise<Opened>, idleMs: number): Promise<void> {
    const before = locks;
    const image = await existing();
    const { keyId } = image;
    const { dataKey, current } = await unwrapImage(image);
    try {
      if (!(await openSince(before, keyId, dataKey, idleMs))) throw new VaultError('locked');
    } finally {
      dataKey.fill(0);
    }
    // Only an image that a secret has opened may replace another one.
    await alone(async () => {
      const latest = await images.read();
      if (!latest) return;
      await images.repair(latest);
      const lifted = latest.wraps.map((wrap) => (isSameWay(wrap, current) && !isKeyPairWrap(wrap) ? current : wrap));
      if (latest.keyId === keyId && lifted.some((wrap, index) => wrap !== latest.wraps[index]))
        // As good as it was; a full disk must not keep the vault shut.
        await images
          .write({ ...latest, generation: latest.generation + 1, wraps: lifted })
          .catch(reported('vault: strengthen the password'));
      // The wallet is open: a store that fails now is left to the next unlock.
    }).catch(reported('vault: repair the stores'));
  }

  /** The data key of the session and the image; undefined when it does not open that image. */
  async function openImage() {
    const reading = existing();
    // Awaited below; a locked vault says so also when its image cannot be read.
    reading.catch(metElsewhere);
    const { unlockId, keyId, dataKey } = await session.take();
    try {
      const image = await reading;
      return image.keyId === keyId ? { unlockId, image, dataKey: Uint8Array.from(dataKey) } : undefined;
    } finally {
      dataKey.fill(0);
    }
  }

  /**
   * The data key of the session and the image that it opens.
   * @param again - Runs a second try while no renewal is in progress.
   * @throws {VaultError} `locked`
   */
  async function unlocked(again = alone) {
    const opened = (await openImage()) ?? (await again(openImage));
    if (opened) return opened;
    // A worker that was stopped between a renewed image and the session, or another vault: the key
    // opens nothing any more.
    await session.close();
    throw new VaultError('locked');
  }

  /**
   * Stores an image under a new data key, with every record sealed again, and takes the images
   * before it from both stores: what was taken away, a password, a passkey or a secret, is in no
   * place that the wallet reads. The browser's files keep earlier images until it compacts them.
   * @param given - The image with what is to stay. @param dataKey - The present one; the caller
   *   wipes it.
   * @param own - Makes a wrap for the new data key in the place of the password's; without it the
   *   password stays as it is.
   * @returns How many passkeys went with the data key before it.
   */
  async function renew(
    given: VaultImage,
    dataKey: Bytes,
    own?: (owner: Owner, dataKey: Bytes) => Promise<PasswordWrap>,
  ): Promise<number> {
    const { vaultId } = given;
    const next = { vaultId, keyId: randomName(), dataKey: randomBytes(32) };
    try {
      const [oldKey, newKey] = await Promise.all([importDataKey(dataKey), importDataKey(next.dataKey)]);
      const wraps = await Promise.all(
        given.wraps.map(async (wrap): Promise<Wrap | undefined> => {
          if (own && wrap.method === 'password') return own(next, next.dataKey);
          return isKeyPairWrap(wrap) ? rewrap(wrap, { ...given, dataKey }, next, randomBytes) : undefined;
        }),
      );
      const kept = wraps.filter((wrap) => wrap !== undefined);
      if (!kept.some(({ method }) => method === 'password'))
        throw new VaultError('corrupt', 'the way to the data key by the password is damaged');
      const records = await Promise.all(given.records.map((record) => resealed(oldKey, newKey, vaultId, record)));
      const image = { ...given, keyId: next.keyId, generation: given.generation + 1, wraps: kept, records };
      await images.write(image, { overwrite: true });
      // The change counts; a session that is left behind locks the wallet.
      await withSession(() => session.renew(given.keyId, next.keyId, next.dataKey)).catch(
        reported('vault: renew the session'),
      );
      return wraps.length - kept.length;
    } finally {
      next.dataKey.fill(0);
    }
  }

  /**
   * A damaged record goes along as it is: it opens under no key, and must not keep the others under
   * the old one.
   */
  async function resealed(from: CryptoKey, to: CryptoKey, vaultId: string, record: VaultRecord): Promise<VaultRecord> {
    const bytes = await open(from, record.sealed, recordAssociatedData(vaultId, record));
    if (!bytes) return record;
    try {
      return { ...(await sealRecord(to, vaultId, record, bytes)), createdAt: record.createdAt };
    } finally {
      bytes.fill(0);
    }
  }

  /** Runs `use` with the data key, which is wiped afterwards. */
  async function withDataKey<T>(dataKey: Bytes, use: (key: CryptoKey) => Promise<T>): Promise<T> {
    try {
      return await use(await importDataKey(dataKey));
    } finally {
      dataKey.fill(0);
    }
  }

  async function openRecord(key: CryptoKey, vaultId: string, record: VaultRecord): Promise<Bytes> {
    const bytes = await open(key, record.sealed, recordAssociatedData(vaultId, record));
    if (!bytes) throw new VaultError('damaged', `the secret ${record.id} is damaged or belongs to another record`);
    return bytes;
  }

  async function sealRecord(
    key: CryptoKey,
    vaultId: string,
    info: SecretInfo,
    bytes: Uint8Array,
  ): Promise<VaultRecord> {
    if (bytes.length === 0) throw new VaultError('empty-overwrite', `the secret ${info.id} would be empty`);
    const plain = new Uint8Array(bytes);
    try {
      const { id, account, kind } = info;
      const head = { id, account, kind, createdAt: now(), sealVersion: 1 as const };
      const sealed = await seal(key, plain, recordAssociatedData(vaultId, head), randomBytes);
      const record = { ...head, sealed };
      const reopened = await openRecord(key, vaultId, record);
      const same = reopened.length === plain.length && reopened.every((byte, index) => byte === plain[index]);
      reopened.fill(0);
      if (!same) throw new VaultError('corrupt', `the secret ${info.id} could not be encrypted`);
      return record;
    } finally {
      plain.fill(0);
    }
  }

  async function apply({ put = [], remove = [], beside }: SecretChanges): Promise<void> {
    for (const { info } of put)
      if (!infoSchema().safeParse(info).success)
        throw new VaultError('bad-input', 'a secret needs an id, an account and a known kind');
    await alone(async () => {
      const { image, unlockId, dataKey } = await unlocked(atOnce);
      await withDataKey(dataKey, async (key) => {
        const records = new Map(image.records.map((record) => [record.id, record]));
        if (beside !== undefined && !records.has(beside)) throw new VaultError('not-found');
        const isTaken = (id: string) => records.has(id);
        // The value before a new one is a secret too, such as the key that was replaced.
        const takesAway = [...remove, ...put.map(({ info }) => info.id)].some(isTaken);
        for (const id of remove) records.delete(id);
        for (const { info, bytes } of put) {
          const before = records.get(info.id);
          if (before && (before.account !== info.account || before.kind !== info.kind)) {
            throw new VaultError('bad-input', `the secret ${info.id} belongs to another account or is of another kind`);
          }
          records.set(info.id, await sealRecord(key, image.vaultId, info, bytes));
        }
        if (image.records.length > 0 && records.size === 0) {
          throw new VaultError('empty-overwrite');
        }
        await session.confirm(unlockId);
        const changed = { ...image, records: [...records.values()] };
        // Wraps of the earlier form cannot be given another key without the password or the
        // passkey itself.
        if (takesAway && image.wraps.every(isKeyPairWrap)) await renew(changed, dataKey);
        else await images.write({ ...changed, generation: image.generation + 1 }, { overwrite: takesAway });
      });
    });
  }

  return {
    /** True when there is a vault, locked or not; also when it is damaged. */
    exists: (): Promise<boolean> => images.exists(),

    /**
     * Makes an empty vault and leaves it unlocked, unless it was locked meanwhile.
     * @param before - Runs when there is no vault yet, before one is stored. If it throws, no vault
     *   is stored.
     * @throws {VaultError} `exists`; `corrupt` when a damaged one is there, which only `wipe`
     *   removes.
     */
    async create(
      password: string,
      idleMs = defaultIdleMs,
      before: () => Promise<unknown> = async () => {},
    ): Promise<void> {
      const locksBefore = locks;
      await alone(async () => {
        if (await images.read()) throw new VaultError('exists');
        await before();
        const [vaultId, keyId] = [randomName(), randomName()];
        const dataKey = randomBytes(32);
        try {
          const wraps = [await wrapFor({ vaultId, keyId }, password, dataKey)];
          await images.write({
            format: 'countersign-vault',
            version: imageVersion,
            vaultId,
            keyId,
            generation: 1,
            wraps,
            records: [],
          });
          await openSince(locksBefore, keyId, dataKey, idleMs);
        } finally {
          dataKey.fill(0);
        }
      });
    },

    /**
     * Opens the vault for `idleMs` (at most 8 hours) and repairs a store that is damaged or behind.
     * @throws {VaultError} `wrong-password`, `kdf-bounds`, `missing`, `corrupt`,
     *   `unsupported-version`; `locked` when it was locked meanwhile.
     */
    unlock: (password: string, idleMs = defaultIdleMs): Promise<void> =>
      openSession((image) => unwrap(image, password), idleMs),

    /** Lists the facts that a page needs to ask a passkey for its secret. Works while locked. */
    async listPasskeys(): Promise<Pick<PasskeyWrap, 'credentialId' | 'prfSalt' | 'createdAt'>[]> {
      const image = await images.read();
      return (image ? passkeysOf(image) : []).map(({ credentialId, prfSalt, createdAt }) => ({
        credentialId,
        prfSalt,
        createdAt,
      }));
    },

    /**
     * Lets a passkey open the vault as well; the password stays.
     * @param passkey - The caller wipes `prf`.
     * @throws {VaultError} `wrong-password`, `bad-input`.
     */
    async addPasskey(
      password: string,
      { credentialId, prfSalt, prf }: { credentialId: string; prfSalt: string; prf: Bytes },
    ): Promise<void> {
      await alone(async () => {
        const image = await existing();
        const key = await passkeyKey(prf, image.vaultId);
        await withOpened(image, password, async ({ dataKey }) => {
          const head = { method: 'passkey', credentialId, prfSalt } as const;
          const pair = await newWrap(key, head, image, dataKey, randomBytes);
          const wraps = [...without(image, credentialId), { ...head, createdAt: now(), ...pair }];
          await images.write({ ...image, generation: image.generation + 1, wraps });
        });
      });
    },

    /**
     * Takes a passkey away for good: the data key is renewed, and passkeys of the earlier form go
     * with it. An unknown id changes nothing.
     * @throws {VaultError} `locked`, `wrong-password`.
     */
    async removePasskey(password: string, credentialId: string): Promise<void> {
      await alone(async () => {
        const { image, dataKey: own } = await unlocked(atOnce);
        own.fill(0);
        await withOpened(image, password, async ({ dataKey, current }) => {
          if (!passkeysOf(image).some((passkey) => passkey.credentialId === credentialId)) return;
          const wraps = [current, ...without(image, credentialId).filter(({ method }) => method === 'passkey')];
          await renew({ ...image, wraps }, dataKey);
        });
      });
    },

    /** As `unlock`. @param prf - The caller wipes it. @throws {VaultError} `wrong-passkey` too. */
    unlockWithPasskey: (credentialId: string, prf: Bytes, idleMs = defaultIdleMs): Promise<void> =>
      openSession((image) => unwrapWithPasskey(image, credentialId, prf), idleMs),

    /** Forgets the data key, also that of an unlock that has begun. */
    lock: close,

    async isUnlocked(): Promise<boolean> {
      return (await session.deadline()) !== undefined;
    },

    /**
     * When it locks by itself, milliseconds since 1970; undefined when it is locked. For an alarm,
     * which only helps.
     */
    lockDeadline: (): Promise<number | undefined> => session.deadline(),

    /** Moves the deadline after the user did something. @returns False when it is locked. */
    touch: (idleMs?: number): Promise<boolean> => withSession(() => session.touch(idleMs)),

    /** For actions that ask for the password again. @throws {VaultError} `wrong-password`. */
    async checkPassword(password: string): Promise<void> {
      await withOpened(await existing(), password, async () => {});
    },

    /** Lists the secrets without opening any. Works while locked. */
    async listSecrets(): Promise<(SecretInfo & { readonly createdAt: number })[]> {
      return (await existing()).records.map(({ id, account, kind, createdAt }) => ({ id, account, kind, createdAt }));
    },

    async hasSecret(id: string): Promise<boolean> {
      return (await images.read())?.records.some((record) => record.id === id) ?? false;
    },

    /**
     * Stores one secret, or its new value. The caller wipes `bytes`.
     * @param beside - As in `SecretChanges`.
     */
    putSecret: (info: SecretInfo, bytes: Uint8Array, beside?: string): Promise<void> =>
      apply({ put: [{ info, bytes }], beside }),

    /**
     * Several changes that happen together or not at all, such as a new key in the place of the old
     * one.
     * @throws {VaultError} `empty-overwrite` when it removes the last secret; `not-found` without
     *   `beside`.
     */
    apply,

    /**
     * Lends a secret to `use` and wipes it when that is done, also after a throw. `use` must not
     * keep it.
     * @throws {VaultError} `locked`, `not-found`, `damaged`, `corrupt`.
     */
    async withSecret<T>(id: string, use: (bytes: Uint8Array) => T | Promise<T>): Promise<T> {
      const { image, unlockId, dataKey } = await unlocked();
      const bytes = await withDataKey(dataKey, async (key) => {
        const record = image.records.find((entry) => entry.id === id);
        if (!record) throw new VaultError('not-found');
        return openRecord(key, image.vaultId, record);
      });
      try {
        // The machine may have slept since the deadline was read.
        await session.confirm(unlockId);
        return await use(bytes);
      } finally {
        bytes.fill(0);
      }
    },

    /**
     * Takes the old password away for good: the data key is renewed.
     * @returns How many passkeys went with it: those of the earlier form, which nobody has used
     *   since, and which cannot be given another data key without the passkey itself, and those for
     *   which the present data key does not vouch.
     * @throws {VaultError} `wrong-password`.
     */
    async changePassword(oldPassword: string, newPassword: string): Promise<number> {
      return alone(async () => {
        const image = await existing();
        return withOpened(image, oldPassword, ({ dataKey }) =>
          renew(image, dataKey, (owner, renewed) => wrapFor(owner, newPassword, renewed)),
        );
      });
    },

    /**
     * The text of a backup file: the encrypted vault, which only its password opens, and
     * `attached`, encrypted beside it.
     * @param leftOut - Called for each secret that does not open; a file with it could not be
     *   restored.
     * @throws {VaultError} `locked`
     */
    async exportBackup(attached: string, leftOut: (id: string) => void = () => {}): Promise<string> {
      const { image, dataKey } = await unlocked();
      const { vaultId } = image;
      return withDataKey(dataKey, async (key) => {
        const records: VaultRecord[] = [];
        for (const record of image.records) {
          const bytes = await open(key, record.sealed, recordAssociatedData(vaultId, record));
          bytes?.fill(0);
          if (bytes) records.push(record);
          else leftOut(record.id);
        }
        const envelope = await toEnvelope({ ...image, records, wraps: [passwordOf(image)] });
        return backupText(envelope, await seal(key, utf8(attached), attachedAssociatedData(vaultId), randomBytes));
      });
    },

    /**
     * Restores a backup where there is no vault, after its password opened every record, and leaves
     * it unlocked, unless it was locked meanwhile.
     * @param before - Runs after everything was checked, before the vault is stored. If it throws,
     *   no vault is stored.
     * @returns What was attached; `null` for the bare vault of an earlier version.
     * @throws {VaultError} `exists`, `wrong-password`, `corrupt`, `damaged`, `kdf-bounds`,
     *   `unsupported-version`.
     */
    async importBackup(
      backup: string,
      password: string,
      idleMs = defaultIdleMs,
      before: (attached: string | null) => Promise<void> = async () => {},
    ): Promise<string | null> {
      const locksBefore = locks;
      const { vault, attached } = parseBackup(backup);
      const image = await fromEnvelope(vault);
      return alone(async () => {
        if (await images.read()) throw new VaultError('exists');
        return withOpened(image, password, async ({ dataKey }) => {
          const key = await importDataKey(dataKey);
          for (const record of image.records) (await openRecord(key, image.vaultId, record)).fill(0);
          const beside = attached && (await open(key, attached, attachedAssociatedData(image.vaultId)));
          if (attached && !beside) throw new VaultError('corrupt', 'what is attached to the backup is damaged');
          const text = beside ? new TextDecoder().decode(beside) : null;
          await before(text);
          // Nothing authenticates the number of the image in a file.
          await images.write({ ...image, generation: 1 });
          await openSince(locksBefore, image.keyId, dataKey, idleMs);
          return text;
        });
      });
    },

    /** Locks, and removes the vault from both stores. Nothing brings it back but a backup. */
    async wipe(): Promise<void> {
      await close();
      await alone(() => images.remove());
    },
  };
}

/** The wraps of an image, but that of one passkey. */
const without = ({ wraps }: VaultImage, credentialId: string) =>
  wraps.filter((wrap) => wrap.method === 'password' || wrap.credentialId !== credentialId);
