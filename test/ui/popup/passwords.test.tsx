// @vitest-environment happy-dom
import { afterEach, describe, expect, it, vi } from 'vitest';
import { UiCallError } from '../../../src/ui/background.ts';
import * as f from '../support/fixtures.ts';
import { all, background, emptyPages, enter, find, openPopup, press, settled, text } from '../support/page.tsx';

emptyPages();
afterEach(() => {
  vi.unstubAllGlobals();
  Reflect.deleteProperty(navigator, 'credentials');
  delete document.documentElement.dataset.view;
});

const passkey = { credentialId: 'AQ', prfSalt: `${'A'.repeat(43)}=`, createdAt: f.now };
const button = (name: string) => all('button').find(({ textContent }) => textContent === name) as HTMLButtonElement;

class Credential {
  readonly rawId = Uint8Array.of(1).buffer;
  constructor(readonly results: { first: ArrayBuffer } | undefined) {}
  getClientExtensionResults = () => ({ prf: { enabled: true, results: this.results } });
}

/** An authenticator that computes the secret only when it is asked again. */
function authenticator() {
  vi.stubGlobal('PublicKeyCredential', Credential);
  const create = vi.fn(async (_options: CredentialCreationOptions) => new Credential(undefined));
  const get = vi.fn(async () => new Credential({ first: new ArrayBuffer(32) }));
  Object.defineProperty(navigator, 'credentials', { configurable: true, value: { create, get } });
  return { create, get };
}

describe.each(['popup', 'panel'])('in the %s a passkey is asked for in a tab', (view) => {
  const opened = async () => {
    const { create, get } = authenticator();
    document.documentElement.dataset.view = view;
    const tabs = { create: vi.fn() };
    vi.spyOn(window, 'close').mockImplementation(() => {});
    return { tabs, create, get };
  };

  it('to unlock', async () => {
    const { tabs, get } = await opened();
    await openPopup('#/orders', { getState: () => f.lockedWallet, listPasskeys: () => [passkey] });
    Object.assign(chrome, { tabs });
    await press(button('Unlock with a passkey'));
    expect(tabs.create).toHaveBeenCalledWith({ url: 'chrome-extension://test/src/ui/popup.html?view=tab#/orders' });
    expect(window.close).toHaveBeenCalled();
    expect(get).not.toHaveBeenCalled();
  });

  it('to add one, without a password', async () => {
    const { tabs, create } = await opened();
    await openPopup('#/security', { listPasskeys: () => [] }, 'Add a passkey');
    Object.assign(chrome, { tabs });
    await press(button('Add a passkey'));
    expect(tabs.create).toHaveBeenCalledWith({ url: 'chrome-extension://test/src/ui/popup.html?view=tab#/security' });
    expect(create).not.toHaveBeenCalled();
  });
});

it('a passkey without a secret is replaced by the next one, and one that may count is not', async () => {
  const { create, get } = authenticator();
  get.mockRejectedValueOnce(new DOMException('closed', 'NotAllowedError'));
  let isAnswered = false;
  await openPopup(
    '#/security',
    {
      listPasskeys: () => [],
      checkPassword: () => null,
      addPasskey: () => {
        if (!isAnswered) throw new UiCallError('no-answer', 'errorNoAnswer');
        return [passkey];
      },
    },
    'Add a passkey',
  );
  const add = async () => {
    await enter(button('Add a passkey').form?.querySelector('input'), 'a password');
    await press(button('Add a passkey'));
  };
  await add();
  expect(text()).toContain('prompt was closed');
  expect(text()).not.toContain('Nothing has changed');
  await add();
  expect(background.callsOf('addPasskey')).toHaveLength(1);
  isAnswered = true;
  await add();
  await add();
  const ids = create.mock.calls.map(([{ publicKey }]) => String(publicKey?.user.id));
  expect(background.callsOf('addPasskey')).toHaveLength(3);
  expect(ids[1]).toBe(ids[0]);
  expect(new Set(ids.slice(1)).size).toBe(3);
});

it.each(['no-answer', 'unknown'])('after %s to a new password, both may be the one', async (code) => {
  await openPopup(
    '#/security',
    {
      listPasskeys: () => [],
      changePassword: () => {
        throw new UiCallError(code, 'error_unknown');
      },
    },
    'Change the password',
  );
  const form = find('[autocomplete=new-password]').closest('form') as HTMLFormElement;
  const [before, after, repeated] = form.querySelectorAll('input');
  await enter(before, 'a password');
  await enter(after, 'another password');
  await enter(repeated, 'another password');
  form.dispatchEvent(new Event('submit', { bubbles: true, cancelable: true }));
  await settled();
  expect(text()).toContain('Try the new one first');
});

it('a password that is shown is not kept with the tab, as one that is hidden is not', async () => {
  await openPopup('#/security', { listPasskeys: () => [] }, 'Change the password');
  const field = find('[autocomplete=new-password]').closest('.field') as HTMLElement;
  const input = field.querySelector('input') as HTMLInputElement;
  expect([input.type, input.autocomplete]).toEqual(['password', 'new-password']);
  field.querySelector('button')?.click();
  await settled();
  expect([input.type, input.autocomplete]).toEqual(['text', 'off']);
});
