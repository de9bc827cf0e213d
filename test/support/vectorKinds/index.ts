import { accountUpdate } from './accountUpdate.ts';
import { ammExit, ammJoin } from './ammRequest.ts';
import { eddsa } from './eddsa.ts';
import { eddsaVerify } from './eddsaVerify.ts';
import type { VectorCheck } from './findings.ts';
import { cid, create2, eip712Domain } from './identifiers.ts';
import { keyDerivation, keyDerivationRetry } from './keyDerivation.ts';
import { nftTransfer, nftWithdrawal, transfer, withdrawal } from './ledgerRequest.ts';
import { nftData, nftMint } from './nft.ts';
import { nftDeploy } from './nftDeploy.ts';
import { nftTrade } from './nftTrade.ts';
import { nftOrder, p2pOrder, submittedOrder } from './order.ts';
import { poseidon } from './poseidon.ts';
import { poseidonConstants } from './poseidonConstants.ts';
import { publicKeyPack } from './publicKeyPack.ts';
import { replay } from './replay.ts';
import { apiSig, apiSigQueryDivergence } from './requestSignature.ts';
import { stateTree, stateTreeVectors } from './stateTree.ts';
import { withdrawalExtraData } from './withdrawalExtraData.ts';

/**
 * The check of each kind of vector file (`kind` in the file). A kind that is not here fails as a
 * whole.
 */
export const vectorKinds: Readonly<Record<string, VectorCheck<never>>> = {
  'poseidon-constants': poseidonConstants,
  poseidon,
  eddsa,
  'eddsa-verify': eddsaVerify,
  'public-key-pack': publicKeyPack,
  'key-derivation': keyDerivation,
  'key-derivation-retry': keyDerivationRetry,
  'order-spot': submittedOrder,
  'order-amm': submittedOrder,
  'order-p2p': p2pOrder,
  'order-nft': nftOrder,
  'nft-trade': nftTrade,
  withdrawal,
  'nft-withdrawal': nftWithdrawal,
  'withdrawal-extradata-divergence': withdrawalExtraData,
  transfer,
  'nft-transfer': nftTransfer,
  'nft-deploy': nftDeploy,
  'nft-data': nftData,
  'nft-mint': nftMint,
  'amm-join': ammJoin,
  'amm-exit': ammExit,
  'account-update': accountUpdate,
  'eip712-domain': eip712Domain,
  'api-sig': apiSig,
  'api-sig-query-divergence': apiSigQueryDivergence,
  create2,
  cid,
  'state-tree': stateTree,
  replay,
};

/** The vectors of the kinds whose files have no `vectors`. */
export const vectorLists: Readonly<Record<string, (file: never) => readonly unknown[]>> = {
  'state-tree': stateTreeVectors,
  replay: ({ scenarios }: { scenarios: readonly unknown[] }) => scenarios,
};
