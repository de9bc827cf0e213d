import { type Hex, hashMessage, hexToBytes, serializeSignature } from 'viem';
import { generatePrivateKey, privateKeyToAccount, sign } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cloneCreationCode } from '../../src/protocol/create2.ts';
import { accountUpdateTypedData, typedDataDigest } from '../../src/protocol/typedData.ts';
import { ANVIL_KEY, compile, startAnvil } from './support/anvil.ts';
import { START_TIMEOUT_MS } from './support/databases.ts';
import { startOnPostgres, type TestRelayer } from './support/startRelayer.ts';
import { randomSecretKey, TestAccount } from './support/testAccount.ts';

/** Half the order of secp256k1's group is the largest `s` that the exchange contract takes. */
const GROUP_ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;

/** An account whose owner is some address, and the L1 key that may sign for it. */
async function accountOf(test: TestRelayer, owner: Hex): Promise<TestAccount> {
  const account = new TestAccount(test.place);
  Object.defineProperty(account, 'owner', { value: owner });
  return account.faucet();
}

/**
 * Sends a key update with approvals as given; the relayer's code, or the status when it takes it.
 */
async function update(
  account: TestAccount,
  approve: (digest: Hex) => Promise<{ header?: Hex; body?: Record<string, unknown> }>,
): Promise<number | string> {
  const body = await account.updateBody(randomSecretKey());
  const { header, body: more } = await approve(typedDataDigest(accountUpdateTypedData(account.place.chainId, body)));
  const reply = await account.call('POST', '/api/v3/account', {
    body: { ...body, ...more },
    ...(header && { headers: { 'x-api-sig': header } }),
  });
  return reply.body.resultInfo?.code ?? reply.body.status;
}

describe('the approval of the L1 owner', () => {
  let test: TestRelayer;
  beforeAll(async () => {
    test = await startOnPostgres();
  }, START_TIMEOUT_MS);
  afterAll(() => test.close());

  const key = generatePrivateKey();
  const signer = privateKeyToAccount(key);
  const plain = (digest: Hex) => sign({ hash: digest, privateKey: key, to: 'hex' });
  const personal = (digest: Hex) => sign({ hash: hashMessage({ raw: digest }), privateKey: key, to: 'hex' });
  const withV = (signature: Hex, v: string): Hex => `${signature.slice(0, -2)}${v}` as Hex;

  const accepted: readonly [string, (digest: Hex) => Promise<Hex>][] = [
    ['with v 27 or 28', plain],
    [
      'with v 0 or 1',
      async (digest) => {
        const signature = await plain(digest);
        return withV(signature, signature.endsWith('1b') ? '00' : '01');
      },
    ],
    ['as personal_sign of the digest', personal],
    ['with type byte 02 after a plain signature', async (digest) => `${await plain(digest)}02`],
    ['with type byte 03 after a personal one', async (digest) => `${await personal(digest)}03`],
  ];
  it.each(accepted)('is taken %s', async (_, make) => {
    const account = await accountOf(test, privateKeyToAccount(generatePrivateKey()).address);
    const own = await accountOf(test, signer.address);
    const { body } = await test.call('GET', '/api/v3/account', { query: { owner: signer.address } });
    own.nonce = body.nonce;
    expect(await update(own, async (digest) => ({ header: await make(digest) }))).toBe('received');
    await test.block();
    expect(await update(account, async (digest) => ({ header: await make(digest) }))).toBe(104005);
  });

  it('is checked, which may ask layer 1, only when exchange, deadline and nonce are right', async () => {
    const own = await accountOf(test, privateKeyToAccount(generatePrivateKey()).address);
    const right = await own.updateBody(randomSecretKey());
    const codeOf = async (changes: object) =>
      (
        await own.call('POST', '/api/v3/account', {
          body: { ...right, ecdsaSignature: `0x${'12'.repeat(65)}`, ...changes },
        })
      ).body.resultInfo.code;
    expect(await codeOf({})).toBe(104005);
    expect(await codeOf({ exchange: own.owner })).toBe(102001);
    expect(await codeOf({ validUntil: 1 })).toBe(100001);
    expect(await codeOf({ nonce: right.nonce + 1 })).toBe(102021);
  });

  const refused: readonly [string, (digest: Hex) => Promise<Hex>][] = [
    ['with v 29', async (digest) => withV(await plain(digest), '1d')],
    ['with v 30', async (digest) => withV(await plain(digest), '1e')],
    ['with type byte 03 after a plain signature', async (digest) => `${await plain(digest)}03`],
    [
      'with the other, larger s',
      async (digest) => {
        const { r, s, yParity } = await sign({ hash: digest, privateKey: key });
        return serializeSignature({
          r,
          s: `0x${(GROUP_ORDER - BigInt(s)).toString(16).padStart(64, '0')}`,
          yParity: 1 - (yParity ?? 0),
        });
      },
    ],
    ['over another digest', () => plain(`0x${'12'.repeat(32)}`)],
    ['with 64 bytes', async (digest) => (await plain(digest)).slice(0, -2) as Hex],
  ];
  it.each(refused)('is refused %s', async (_, make) => {
    const own = await accountOf(test, signer.address);
    own.nonce = (await test.call('GET', '/api/v3/account', { query: { owner: signer.address } })).body.nonce;
    expect(await update(own, async (digest) => ({ header: await make(digest) }))).toBe(104005);
  });

  it('may come from the owner of a counterfactual wallet whose address is the CREATE2 one', async () => {
    const { body: wallet } = await test.call('POST', '/dev/wallet', {
      body: { walletOwner: signer.address, walletSalt: '5' },
    });
    const account = await accountOf(test, wallet.wallet);
    const { accountId: _id, wallet: _wallet, ...info } = wallet;
    expect((await test.call('GET', '/api/v3/counterFactualInfo', { query: { address: wallet.wallet } })).body).toEqual(
      wallet,
    );
    const approve = (changes: object) => async (digest: Hex) => ({
      header: await plain(digest),
      body: { counterFactualInfo: { ...info, ...changes } },
    });
    expect(await update(account, approve({ walletSalt: '6' }))).toBe(104005);
    expect(await update(account, approve({ walletFactory: test.place.exchange }))).toBe(104005);
    expect(await update(account, approve({ walletOwner: test.place.exchange }))).toBe(104005);
    expect(await update(account, async (digest) => ({ header: await plain(digest) }))).toBe(104005);
    expect(await update(account, approve({}))).toBe('received');
  });

  it('may be a hash approved on L1, and only this very hash', async () => {
    const account = await accountOf(test, privateKeyToAccount(generatePrivateKey()).address);
    expect(await update(account, async (digest) => ({ body: { hashApproved: digest } }))).toBe(104005);
    const approve = (digest: Hex) =>
      test.call('POST', '/dev/l1', { body: { approval: { owner: account.owner, digest } } });
    const another: Hex = `0x${'12'.repeat(32)}`;
    await approve(another);
    expect(await update(account, async () => ({ body: { hashApproved: another } }))).toBe(104005);
    const approved = async (digest: Hex) => {
      await approve(digest);
      return { body: { hashApproved: digest } };
    };
    expect(await update(account, approved)).toBe('received');
  });

  it('may be given by a wallet contract of the built-in chain', async () => {
    const contract = '0x00000000000000000000000000000000000c0de1';
    const account = await accountOf(test, contract);
    await test.call('POST', '/dev/l1', {
      body: { code: { address: contract, code: `0x6000${signer.address.slice(2)}` } },
    });
    expect(await update(account, async () => ({ header: await plain(`0x${'12'.repeat(32)}`) }))).toBe(104005);
    expect(await update(account, async (digest) => ({ header: await plain(digest) }))).toBe('received');
  });

  it('is lost by the first owner of a smart wallet with its deployment and recovery', async () => {
    const recovered = privateKeyToAccount(generatePrivateKey());
    const { body: wallet } = await test.call('POST', '/dev/wallet', {
      body: { walletOwner: signer.address, walletSalt: '71' },
    });
    const account = await accountOf(test, wallet.wallet);
    const { accountId: _id, wallet: _wallet, ...info } = wallet;
    const formerOwner = async (digest: Hex) => ({ header: await plain(digest), body: { counterFactualInfo: info } });
    expect(await update(account, formerOwner)).toBe('received');
    await test.block();
    account.nonce = 1;
    await test.call('POST', '/dev/l1', {
      body: { code: { address: wallet.wallet, code: `0x6000${recovered.address.slice(2)}` } },
    });

    expect(await update(account, formerOwner)).toBe(104005);
    expect(await update(account, async (digest) => ({ header: await plain(digest) }))).toBe(104005);
    const after = await test.call('GET', '/api/v3/account', { query: { owner: wallet.wallet } });
    expect(after.body.nonce).toBe(1);

    const newOwner = async (digest: Hex) => ({ header: await recovered.sign({ hash: digest }) });
    expect(await update(account, newOwner)).toBe('received');
    await test.block();
  });

  it('is not replaced by the old EdDSA key for a key update, unless the operator says so', async () => {
    const { accountUpdateHash } = await import('../../src/protocol/payloads/accountUpdate.ts');
    const send = async (account: TestAccount, signature: (hash: bigint) => Hex) => {
      const body = await account.updateBody(randomSecretKey());
      return account.call('POST', '/api/v3/account', {
        body: { ...body, eddsaSignature: signature(accountUpdateHash(body)) },
      });
    };
    const strict = await test.account();
    expect((await send(strict, (hash) => strict.eddsa(hash))).body.resultInfo.code).toBe(104004);
    const allowing = await startOnPostgres({ keyUpdatesByOldKey: true });
    const account = await allowing.account();
    expect((await send(account, () => account.eddsa(7n))).body.resultInfo.code).toBe(104005);
    expect((await send(account, (hash) => account.eddsa(hash))).body.status).toBe('received');
    await allowing.close();
  });
});

describe('the L1 port on a real chain', () => {
  let chain: Awaited<ReturnType<typeof startAnvil>>;
  let test: TestRelayer;
  let contracts: ReturnType<typeof compile>;
  let exchange: Hex;
  let walletFactory: Hex;
  const contract = (name: string) => {
    const found = contracts[name];
    if (!found) throw new Error(`no contract ${name}`);
    return found;
  };

  beforeAll(async () => {
    contracts = compile();
    chain = await startAnvil();
    exchange = await chain.deploy(contract('Exchange'));
    const implementation = await chain.deploy(contract('Implementation'));
    const nftFactory = await chain.deploy(contract('NftFactory'), [implementation]);
    walletFactory = await chain.deploy(contract('WalletFactory'), [implementation]);
    test = await startOnPostgres({
      l1Url: chain.url,
      l1DeployerKey: ANVIL_KEY,
      exchangeAddress: exchange,
      nftFactory,
      nftImplementation: implementation,
      walletFactory,
      walletProxyCode: `0x${Buffer.from(cloneCreationCode(implementation)).toString('hex')}`,
    });
  }, START_TIMEOUT_MS);
  afterAll(async () => {
    await test?.close();
    chain?.stop();
  });

  it('takes gas prices from the chain', async () => {
    const { body } = await test.call('GET', '/api/v3/user/offchainFee', { query: { accountId: 1, requestType: 3 } });
    const price = await chain.client.getGasPrice();
    const quoted = BigInt(body.gasPrice);
    expect(quoted > price / 2n && quoted < price * 4n).toBe(true);
  });

  it('computes the wallet address that the factory deploys to', async () => {
    const walletOwner = privateKeyToAccount(generatePrivateKey()).address;
    const { body } = await test.call('POST', '/dev/wallet', { body: { walletOwner, walletSalt: '77' } });
    const { result } = await chain.client.simulateContract({
      address: walletFactory,
      abi: contract('WalletFactory').abi,
      functionName: 'createWallet',
      args: [walletOwner, 77n],
    });
    expect(body.wallet).toBe(result);
  });

  it('accepts what a deployed EIP-1271 wallet accepts, and nothing else', async () => {
    const key = generatePrivateKey();
    const wallet = await chain.deploy(contract('Wallet'), [privateKeyToAccount(key).address]);
    const account = await accountOf(test, wallet);
    const by = (privateKey: Hex) => async (digest: Hex) => ({
      header: await sign({ hash: digest, privateKey, to: 'hex' }),
    });
    expect(await update(account, by(generatePrivateKey()))).toBe(104005);
    // The wallet reverts on this length, which is a no.
    expect(
      await update(account, async (digest) => ({
        header: `${await sign({ hash: digest, privateKey: key, to: 'hex' })}00` as Hex,
      })),
    ).toBe(104005);
    expect(await update(account, by(key))).toBe('received');
  });

  it('refuses a contract whose yes has another form', async () => {
    const liar = await chain.deploy(contract('LiarWallet'));
    const account = await accountOf(test, liar);
    expect(
      await update(account, async (digest) => ({
        header: await sign({ hash: digest, privateKey: generatePrivateKey(), to: 'hex' }),
      })),
    ).toBe(104005);
  });

  it('reads hashes that the owner approved on the exchange contract', async () => {
    const account = await accountOf(test, privateKeyToAccount(ANVIL_KEY).address);
    const approve = (onChain: boolean) => async (digest: Hex) => {
      if (onChain) {
        const hash = await chain.wallet.writeContract({
          address: exchange,
          abi: contract('Exchange').abi,
          functionName: 'approveTransaction',
          args: [account.owner, digest],
        });
        await chain.client.waitForTransactionReceipt({ hash });
      }
      return { body: { hashApproved: digest } };
    };
    expect(await update(account, approve(false))).toBe(104005);
    expect(await update(account, approve(true))).toBe('received');
    await test.block();
  });

  it('deploys an NFT contract to the address that was computed before', async () => {
    const alice = new TestAccount(test.place);
    const account = await (await alice.faucet()).activate();
    const tokenAddress = await nftContract(account);
    const mint = await account.post(
      '/api/v3/nft/mint',
      await account.mint(`0x${'ab'.repeat(32)}`, 3n, { tokenAddress, counterFactualNftInfo: undefined }),
    );
    await test.block();
    const before = await test.call('POST', '/api/v3/delegator/getCode', { body: { address: tokenAddress } });
    expect(before.body.result).toBe('0x');
    const { transfer } = await account.deployment(mint.body.nftData, {
      token: { tokenId: 0, volume: '1000000000000000000' },
    });
    const reply = await account.signed('POST', '/api/v3/nft/deployTokenAddress', {
      body: { nftData: mint.body.nftData, tokenAddress, transfer },
    });
    expect(reply.body.status).toBe('SEND_TX_SUCCESS');
    const receipt = await chain.client.waitForTransactionReceipt({ hash: reply.body.hash });
    expect(receipt.status).toBe('success');
    // That there is no code is remembered for a second.
    await expect
      .poll(async () => {
        const after = await test.call('POST', '/api/v3/delegator/getCode', { body: { address: tokenAddress } });
        return hexToBytes(after.body.result);
      })
      .toHaveLength(45);
    await test.block();
    const { body: balances } = await account.get('/api/v3/user/nft/balances');
    expect(balances.data[0].deploymentStatus).toBe('DEPLOYED');
    // The deployment ends once it is so deep in the chain that it stays.
    const status = async () => {
      await test.block();
      const rows = await test.relayer.db.query<{ status: string }>('SELECT status FROM l1_deployments');
      return rows.map((row) => row.status);
    };
    expect(await status()).toEqual(['SENT']);
    await chain.client.request({ method: 'anvil_mine' as never, params: ['0xb'] as never });
    expect(await status()).toEqual(['SENT']);
    await chain.client.request({ method: 'anvil_mine' as never, params: ['0x1'] as never });
    expect(await status()).toEqual(['DEPLOYED']);
    const withdrawal = await account.post(
      '/api/v3/nft/withdrawal',
      await account.nftWithdrawal({ tokenId: mint.body.nftTokenId, nftData: mint.body.nftData }, 1n),
    );
    expect(withdrawal.body.status).toBe('received');
  });

  const nftContract = async (account: TestAccount): Promise<Hex> => {
    const { body } = await test.call('GET', '/api/v3/nft/info/computeTokenAddress', {
      query: { nftFactory: test.relayer.config.nftFactory, nftOwner: account.owner, nftBaseUri: '' },
    });
    return body.tokenAddress;
  };
});
