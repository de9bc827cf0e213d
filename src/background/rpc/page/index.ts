import { ethAccounts, ethChainId, ethRequestAccounts } from './accounts.ts';
import { walletAddEthereumChain } from './addChain.ts';
import { walletGetCapabilities } from './capabilities.ts';
import { operationMethods } from './operationMethod.ts';
import type { AnyPageMethod } from './pageMethod.ts';
import { walletGetPermissions, walletRequestPermissions, walletRevokePermissions } from './permissions.ts';
import { readMethods } from './reads.ts';
import { relayerGetReceipt, relayerGetRequest, relayerGetRequests, relayerWithdrawRequest } from './requests.ts';
import { personalSign, signTypedDataV4 } from './signatures.ts';
import {
  relayerGetStandingApprovals,
  relayerRequestStandingApproval,
  relayerRevokeStandingApproval,
} from './standing.ts';
import { relayerSubscribe, relayerUnsubscribe } from './subscriptions.ts';
import { walletSwitchEthereumChain } from './switchChain.ts';

export const pageMethods: ReadonlyMap<string, AnyPageMethod> = new Map(
  [
    ethRequestAccounts,
    ethAccounts,
    ethChainId,
    walletGetPermissions,
    walletRequestPermissions,
    walletRevokePermissions,
    walletAddEthereumChain,
    walletSwitchEthereumChain,
    ...operationMethods,
    ...readMethods,
    personalSign,
    signTypedDataV4,
    relayerGetRequest,
    relayerGetRequests,
    relayerWithdrawRequest,
    relayerRequestStandingApproval,
    relayerGetStandingApprovals,
    relayerRevokeStandingApproval,
    relayerGetReceipt,
    relayerSubscribe,
    relayerUnsubscribe,
    walletGetCapabilities(() => [...pageMethods.values()]),
  ].map((method: AnyPageMethod) => [method.name, method]),
);
