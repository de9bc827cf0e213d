import { eddsa } from './eddsa.ts';
import { eddsaVerify } from './eddsaVerify.ts';
import type { VectorCheck } from './findings.ts';
import { poseidon } from './poseidon.ts';
import { poseidonConstants } from './poseidonConstants.ts';
import { publicKeyPack } from './publicKeyPack.ts';

/** The check of each kind of vector file (`kind` in the file). A kind that is not here fails as a whole. */
export const vectorKinds: Readonly<Record<string, VectorCheck<never>>> = {
  'poseidon-constants': poseidonConstants,
  poseidon,
  eddsa,
  'eddsa-verify': eddsaVerify,
  'public-key-pack': publicKeyPack,
};
