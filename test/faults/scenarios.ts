import type { Scenario } from './scenario.ts';
import { connectionScenarios } from './scenarios/connections.ts';
import { keyScenarios } from './scenarios/keys.ts';
import { nftScenarios } from './scenarios/nfts.ts';
import { orderScenarios } from './scenarios/orders.ts';
import { signatureScenarios } from './scenarios/signatures.ts';
import { transferScenarios } from './scenarios/transfers.ts';

export const scenarios: readonly Scenario[] = [
  ...orderScenarios,
  ...transferScenarios,
  ...nftScenarios,
  ...signatureScenarios,
  ...keyScenarios,
  ...connectionScenarios,
];

export function scenarioNamed(name: string): Scenario {
  const found = scenarios.find((scenario) => scenario.name === name);
  if (!found) throw new Error(`no scenario is named ${name}`);
  return found;
}
