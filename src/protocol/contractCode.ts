/**
 * Whether code at an L1 address is that of a contract. An ordinary address may delegate (EIP-7702):
 * 0xef0100 and the address of the code; its key still signs for it.
 */
export const isContractCode = (code: string): boolean => code !== '0x' && !/^0xef0100.{40}$/i.test(code);
