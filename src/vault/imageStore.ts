import { report, reported } from '../report/report.ts';
import type { KeyValueArea } from '../storage/area.ts';
import { isFull } from '../storage/stores.ts';
import { VaultError } from './errors.ts';
import { type Envelope, envelopeSchema, fromEnvelope, toEnvelope, type VaultImage } from './image.ts';
import { holdsVault, keyOf, type Place } from './imagePlaces.ts';
import { isKeyPairWrap } from './wrap.ts';

/**
 * Result of reading one store. `stale`: its current image is damaged, an earlier one is not;
 * `failed`: the store does not answer.
 */
type Found =
  | { readonly state: 'missing' | 'damaged' }
  | { readonly state: 'failed'; readonly error: unknown }
  | { readonly state: 'good' | 'stale'; readonly image: VaultImage; readonly place: Place; readonly spare: unknown };

/**
 * Keeps the image in two stores. In each, a change goes to the place that is not current, is read
 * back, and only then becomes current: a crash, a full disk or a lying store leaves the image
 * before it untouched. Both stores are staged before either is switched; the switch of the primary
 * store is the moment at which the change counts.
 */
export function createImageStore(primary: KeyValueArea, copy: KeyValueArea) {
  /**
   * The last image that was read, by its text, so that a busy worker parses and hashes it once.
   * Holds nothing secret.
   */
  let parsed: { text: string; image: VaultImage } | undefined;

  async function parse(value: unknown): Promise<VaultImage | undefined> {
    const text = envelopeSchema().safeParse(value).data?.text;
    if (parsed && parsed.text === text) return parsed.image;
    try {
      const image = await fromEnvelope(value);
      if (text !== undefined) parsed = { text, image };
      return image;
    } catch (error) {
      // A newer version is no damage: falling back to an older copy would undo what the newer
      // program stored.
      if (error instanceof VaultError && error.code === 'corrupt') return undefined;
      throw error;
    }
  }

  async function readArea(area: KeyValueArea): Promise<Found> {
    const [current, a, b] = await guard(() =>
      Promise.all([area.get(keyOf.current), area.get(keyOf.a), area.get(keyOf.b)]),
    );
    if (current === undefined && a === undefined && b === undefined) return { state: 'missing' };
    if (current === 'a' || current === 'b') {
      const image = await parse(current === 'a' ? a : b);
      if (image) return { state: 'good', image, place: current, spare: current === 'a' ? b : a };
    }
    const others: Found[] = [];
    for (const [place, value] of [
      ['a', a],
      ['b', b],
    ] as const) {
      const image = value === undefined ? undefined : await parse(value);
      if (image) others.push({ state: 'stale', image, place, spare: place === 'a' ? b : a });
    }
    return newest(others) ?? { state: 'damaged' };
  }

  /**
   * A store that fails to open is no reason not to read the other one. A newer version of the vault
   * is.
   */
  const readOrFail = (area: KeyValueArea): Promise<Found> =>
    readArea(area).catch((error: unknown) => {
      if (error instanceof VaultError && error.code === 'unsupported-version') throw error;
      return { state: 'failed', error };
    });

  async function readBoth() {
    const [first, second] = await Promise.all([readOrFail(primary), readOrFail(copy)]);
    const found = [first, second];
    const best = newest(found.filter(({ state }) => state === 'good')) ?? newest(found);
    const failed = found.find(({ state }) => state === 'failed');
    // Perhaps there is a vault in the store that does not answer: nothing may be made in its place.
    if (!best && failed?.state === 'failed') throw failed.error;
    if (!best && found.some(({ state }) => state === 'damaged')) {
      throw new VaultError('corrupt', 'the vault and its copy are both damaged');
    }
    return { first, second, image: best?.image };
  }

  const otherThan = (place: Place): Place => (place === 'a' ? 'b' : 'a');
  /** The place that a change goes to. */
  const spareOf = (found: Found): Place => ('place' in found ? otherThan(found.place) : 'a');

  /** Writes to a place and reads it back. */
  async function stage(area: KeyValueArea, place: Place, envelope: Envelope): Promise<void> {
    await guard(() => area.set({ [keyOf[place]]: envelope }));
    const stored = envelopeSchema().safeParse(await guard(() => area.get(keyOf[place])));
    if (stored.data?.text !== envelope.text || stored.data.sha256 !== envelope.sha256) {
      throw new VaultError('storage', 'a store did not keep what was written to it');
    }
  }

  const switchTo = (area: KeyValueArea, place: Place) => guard(() => area.set({ [keyOf.current]: place }));

  /**
   * Whether the other place of a store holds an image that a password or passkey may open that no
   * longer counts, or with a secret that was removed: one under another data key, or any other one
   * while there are ways to the data key without a key pair, because that is not renewed then.
   */
  const holdsRevoked = (found: Found, { keyId, wraps }: VaultImage, { text }: Envelope): boolean => {
    if (!('spare' in found) || found.spare === undefined) return false;
    const spare = envelopeSchema().safeParse(found.spare).data;
    if (spare === undefined || !spare.text.includes(`"keyId":"${keyId}"`)) return true;
    return spare.text !== text && !wraps.every(isKeyPairWrap);
  };

  /** Generation of a vault's image that is in force in a store; 0 without one. */
  const inForce = (found: Found, { vaultId }: VaultImage): number =>
    found.state === 'good' && found.image.vaultId === vaultId ? found.image.generation : 0;

  return {
    exists: (): Promise<boolean> => guard(() => holdsVault(primary, copy)),

    /**
     * The newest good image of both stores, or undefined when there is no vault.
     * @throws {VaultError} `corrupt` when only damaged ones are left, `unsupported-version`,
     *   `storage`.
     */
    async read(): Promise<VaultImage | undefined> {
      return (await readBoth()).image;
    },

    /**
     * A copy that does not answer is left out: the next `repair` brings it up to the primary store.
     * An image that was made from one that is behind, because a store did not answer then, is
     * refused.
     * @param overwrite - Takes the images before it from both stores as soon as it counts. What a
     *   failing store keeps of them, the next `repair` takes.
     * @throws {VaultError} `storage`, `storage-full`: the image before it is still in force
     *   everywhere.
     */
    async write(image: VaultImage, { overwrite = false } = {}): Promise<void> {
      const envelope = await toEnvelope(image);
      const { first, second } = await readBoth();
      if (first.state === 'failed') throw first.error;
      if ([first, second].some((found) => inForce(found, image) >= image.generation))
        throw new VaultError('storage', 'a store of the vault holds a later image than the one that was read');
      const both = [
        { area: primary, place: spareOf(first) },
        { area: copy, place: spareOf(second) },
      ] as const;
      if (second.state === 'failed') {
        // It may be newer than a primary store that is damaged.
        if (first.state !== 'good') throw second.error;
        report('vault: second copy', second.error);
      }
      const targets = second.state === 'failed' ? [both[0]] : both;
      try {
        for (const { area, place } of targets) await stage(area, place, envelope);
        await switchTo(primary, both[0].place);
      } catch (error) {
        // Best effort: what stays behind is not current, and the next change overwrites it.
        for (const { area, place } of targets) await area.remove([keyOf[place]]).catch(reported('vault: a store'));
        throw error;
      }
      // The change counts. A copy that could not be switched is repaired at the next unlock.
      for (const { area, place } of targets.slice(1)) await switchTo(area, place).catch(reported('vault: second copy'));
      if (!overwrite) return;
      for (const { area, place } of targets)
        await stage(area, otherThan(place), envelope).catch(reported('vault: a store'));
    },

    /**
     * Brings a store that is missing, damaged or behind up to `image`, and takes from both what an
     * earlier data key opens. Failures are left to the next time; so is a copy that does not
     * answer, and everything while the primary store does not, or while a store holds a later
     * image.
     */
    async repair(image: VaultImage): Promise<void> {
      const { first, second } = await readBoth();
      const found = [first, second];
      for (const one of found) if (one.state === 'failed') report('vault: a store', one.error);
      if (first.state === 'failed' || found.some((one) => inForce(one, image) > image.generation)) return;
      const envelope = await toEnvelope(image);
      for (const [area, found] of [
        [primary, first],
        [copy, second],
      ] as const) {
        if (found.state === 'failed') continue;
        const place = inForce(found, image) === image.generation ? undefined : spareOf(found);
        try {
          if (place !== undefined) {
            await stage(area, place, envelope);
            await switchTo(area, place);
          }
          const after = place === undefined ? found : await readArea(area);
          if (holdsRevoked(after, image, envelope)) await stage(area, spareOf(after), envelope);
        } catch (error) {
          // The other store still holds the image.
          report('vault: a store', error);
        }
      }
    },

    /** Removes the vault from both stores; one that fails does not keep the other. */
    async remove(): Promise<void> {
      parsed = undefined;
      const removed = await Promise.allSettled(
        [primary, copy].map((area) => guard(() => area.remove(Object.values(keyOf)))),
      );
      for (const one of removed) if (one.status === 'rejected') throw one.reason;
    },
  };
}

function newest(found: readonly Found[]): Extract<Found, { image: VaultImage }> | undefined {
  return found
    .filter((entry) => 'image' in entry)
    .sort((a, b) => b.image.generation - a.image.generation)
    .at(0);
}

/** Gives failures of a store their code. */
async function guard<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof VaultError) throw error;
    throw new VaultError(isFull(error) ? 'storage-full' : 'storage', undefined, { cause: error });
  }
}
