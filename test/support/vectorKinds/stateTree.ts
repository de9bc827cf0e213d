import { poseidon } from '../../../src/crypto/index.ts';
import {
  accountLeafHash,
  balanceLeafHash,
  emptyTreeNodes,
  foldPath,
  type MerkleProof,
  RollupState,
  storageLeafHash,
  verifyMerkleProof,
} from '../../../src/protocol/rollup/index.ts';
import type { Findings, VectorCheck } from './findings.ts';

interface Leaf {
  balance?: string;
  weightAMM?: string;
  storageRoot?: string;
  owner?: string;
  publicKeyX?: string;
  publicKeyY?: string;
  nonce?: number;
  feeBipsAMM?: number;
  balancesRoot?: string;
  data?: string;
  storageID?: string;
}

interface StateAccount {
  accountID: number;
  owner: string;
  publicKeyX: string;
  publicKeyY: string;
  nonce: number;
  feeBipsAMM: number;
  balances: {
    tokenID: number;
    balance: string;
    weightAMM: string;
    storage: { slot: number; storageID: number; data: string }[];
    storageRoot: string;
  }[];
}

interface ProofVector {
  accountLeaf: Record<string, string | number>;
  balanceLeaf: Record<string, string | number>;
  nft: Record<string, string | number>;
  accountMerkleProof: string[];
  balanceMerkleProof: string[];
}

interface File {
  poseidonSamples: { t: 3 | 5 | 7; inputs: string[]; hash: string }[];
  emptyNodes: { storage: string[]; balances: string[]; accounts: string[] };
  genesisRoot: string;
  state: { accounts: StateAccount[]; root: string };
  merkleProofs: ProofVector[];
  rejected: { why: string; of: string }[];
  circuitTest: {
    samples: {
      update: string;
      index: number;
      before: Leaf;
      after: Leaf;
      proof: string[];
      rootBefore: string;
      rootAfter: string;
    }[];
  };
}

type Vector = { readonly id: string; readonly check: (findings: Findings) => void };

const bigint = (value: unknown) => BigInt(value as string | number);

function proofOf(vector: ProofVector): MerkleProof {
  const { accountLeaf, balanceLeaf, nft } = vector;
  return {
    accountLeaf: {
      accountID: Number(accountLeaf.accountID),
      owner: bigint(accountLeaf.owner),
      pubKeyX: bigint(accountLeaf.pubKeyX),
      pubKeyY: bigint(accountLeaf.pubKeyY),
      nonce: Number(accountLeaf.nonce),
      feeBipsAMM: Number(accountLeaf.feeBipsAMM),
    },
    balanceLeaf: {
      tokenID: Number(balanceLeaf.tokenID),
      balance: bigint(balanceLeaf.balance),
      weightAMM: bigint(balanceLeaf.weightAMM),
      storageRoot: bigint(balanceLeaf.storageRoot),
    },
    nft: {
      minter: bigint(nft.minter),
      nftType: Number(nft.nftType),
      token: bigint(nft.token),
      nftID: bigint(nft.nftID),
      creatorFeeBips: Number(nft.creatorFeeBips),
    },
    accountMerkleProof: vector.accountMerkleProof.map(BigInt),
    balanceMerkleProof: vector.balanceMerkleProof.map(BigInt),
  };
}

function stateOf(accounts: readonly StateAccount[]): RollupState {
  const state = new RollupState();
  for (const account of accounts) {
    const { accountID, owner, publicKeyX, publicKeyY, nonce, feeBipsAMM } = account;
    state.setAccount(accountID, {
      owner: BigInt(owner),
      publicKeyX: BigInt(publicKeyX),
      publicKeyY: BigInt(publicKeyY),
      nonce,
      feeBipsAmm: feeBipsAMM,
    });
    for (const { tokenID, balance, weightAMM, storage } of account.balances) {
      state.setBalance(accountID, tokenID, { balance: BigInt(balance), weightAmm: BigInt(weightAMM) });
      for (const { storageID, data } of storage)
        state.setStorage(accountID, tokenID, { data: BigInt(data), storageId: storageID });
    }
  }
  return state;
}

/** The tampered proofs that the contract refused, by their description in the file. */
const tampering: Readonly<Record<string, (proof: MerkleProof) => MerkleProof>> = {
  'balance + 1': (proof) => ({
    ...proof,
    balanceLeaf: { ...proof.balanceLeaf, balance: proof.balanceLeaf.balance + 1n },
  }),
  'another owner': (proof) => ({ ...proof, accountLeaf: { ...proof.accountLeaf, owner: 1n } }),
  'nonce + 1': (proof) => ({ ...proof, accountLeaf: { ...proof.accountLeaf, nonce: proof.accountLeaf.nonce + 1 } }),
  'two siblings of the lowest level swapped': (proof) => {
    const [first, second, ...rest] = proof.accountMerkleProof as [bigint, bigint, ...bigint[]];
    return { ...proof, accountMerkleProof: [second, first, ...rest] };
  },
  'accountID + 1': (proof) => ({
    ...proof,
    accountLeaf: { ...proof.accountLeaf, accountID: proof.accountLeaf.accountID + 1 },
  }),
  'tokenID + 1': (proof) => ({
    ...proof,
    balanceLeaf: { ...proof.balanceLeaf, tokenID: proof.balanceLeaf.tokenID + 1 },
  }),
  'NFT with another creatorFeeBips': (proof) => ({
    ...proof,
    nft: { ...proof.nft, creatorFeeBips: proof.nft.creatorFeeBips + 1 },
  }),
};

function leafHash(leaf: Leaf): bigint {
  if (leaf.storageID !== undefined)
    return storageLeafHash({ data: bigint(leaf.data), storageId: Number(leaf.storageID) });
  if (leaf.storageRoot !== undefined)
    return balanceLeafHash({
      balance: bigint(leaf.balance),
      weightAmm: bigint(leaf.weightAMM),
      storageRoot: bigint(leaf.storageRoot),
    });
  return accountLeafHash({
    owner: bigint(leaf.owner),
    publicKeyX: bigint(leaf.publicKeyX),
    publicKeyY: bigint(leaf.publicKeyY),
    nonce: Number(leaf.nonce),
    feeBipsAmm: Number(leaf.feeBipsAMM),
    balancesRoot: bigint(leaf.balancesRoot),
  });
}

/** The checks of the file, one for each thing in it that can be right or wrong by itself. */
export function stateTreeVectors(file: File): Vector[] {
  const state = stateOf(file.state.accounts);
  const proofs = file.merkleProofs.map(proofOf);
  const named = (of: string) =>
    proofs.find(({ accountLeaf, balanceLeaf }) => `${accountLeaf.accountID}/${balanceLeaf.tokenID}` === of);
  return [
    ...file.poseidonSamples.map(({ t, inputs, hash }, index) => ({
      id: `poseidonSamples ${index}`,
      check: (findings: Findings) => findings.equal('hash', poseidon(inputs.map(BigInt), t), BigInt(hash)),
    })),
    ...(['storage', 'balances', 'accounts'] as const).map((tree) => ({
      id: `emptyNodes ${tree}`,
      check: (findings: Findings) => findings.equal('nodes', emptyTreeNodes()[tree], file.emptyNodes[tree].map(BigInt)),
    })),
    {
      id: 'genesis',
      check: (findings) => findings.equal('genesisRoot', emptyTreeNodes().accounts.at(-1), BigInt(file.genesisRoot)),
    },
    {
      id: 'state',
      check: (findings) => {
        findings.equal('root', state.root(), BigInt(file.state.root));
        for (const { accountID, balances } of file.state.accounts)
          for (const { tokenID, storageRoot } of balances)
            findings.equal(
              `storageRoot ${accountID}/${tokenID}`,
              state.prove(accountID, tokenID).balanceLeaf.storageRoot,
              BigInt(storageRoot),
            );
      },
    },
    ...proofs.map((proof, index) => ({
      id: `merkleProofs ${index}`,
      check: (findings: Findings) => {
        const { accountID } = proof.accountLeaf;
        findings.equal('prove', state.prove(accountID, proof.balanceLeaf.tokenID, proof.nft), proof);
        findings.equal('verify', verifyMerkleProof(proof, BigInt(file.state.root)), true);
      },
    })),
    ...file.rejected.map(({ why, of }) => ({
      id: `rejected: ${why}`,
      check: (findings: Findings) => {
        const proof = named(of);
        const tampered = proof && tampering[why]?.(proof);
        if (!tampered) throw new Error(`nobody knows how to tamper: ${why} of ${of}`);
        const accepted = () => {
          try {
            return verifyMerkleProof(tampered, BigInt(file.state.root));
          } catch {
            return false;
          }
        };
        findings.equal('accepted', accepted(), false);
      },
    })),
    ...file.circuitTest.samples.map(({ update, index, before, after, proof, rootBefore, rootAfter }, number) => ({
      id: `circuitTest ${number} ${update}`,
      check: (findings: Findings) => {
        const siblings = proof.map(BigInt);
        findings.equal('rootBefore', foldPath(leafHash(before), index, siblings), BigInt(rootBefore));
        findings.equal('rootAfter', foldPath(leafHash(after), index, siblings), BigInt(rootAfter));
      },
    })),
  ];
}

export const stateTree: VectorCheck<Vector> = ({ check }, findings) => check(findings);
