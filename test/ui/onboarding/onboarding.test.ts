import { describe, expect, it } from 'vitest';
import { hostPattern } from '../../../src/messaging/hostPattern.ts';
import { judgePassword } from '../../../src/ui/shared/passwordStrength.ts';
import { typedUrl } from '../../../src/ui/shared/typedUrl.ts';

describe('password strength', () => {
  it.each([
    ['', 'short'],
    ['aB3$xY9', 'short'],
    ['password', 'weak'],
    ['Password2026', 'weak'],
    ['P@ssw0rd!', 'weak'],
    ['aaaaaaaaaaaaaaaaaaaa', 'weak'],
    ['abcdefghijklmnop', 'weak'],
    ['qwertyuiop1234567890', 'weak'],
    ['abcabcabcabcabcabc', 'weak'],
    ['loopringwallet', 'weak'],
    ['tulpenzwiebel', 'fair'],
    ['copper anvil 7 lanterns', 'strong'],
    ['hT7$kq2!pZ', 'good'],
  ] as const)('judges %j as %s', (password, strength) => {
    expect(judgePassword(password).strength).toBe(strength);
  });

  it('comes to an end over letters that have more characters in lower case', () => {
    expect(judgePassword('\u0130\u0130\u0130\u0130hodl').strength).toBe('weak');
  });

  it('never calls an addition worse', () => {
    const grown = ['x7!', 'x7!Qm', 'x7!Qm2#v', 'x7!Qm2#vLp9'].map((password) => judgePassword(password).bits);
    expect(grown).toEqual([...grown].sort((a, b) => a - b));
  });
});

describe('address of a relayer', () => {
  it.each([
    ['http://127.0.0.1:4510', 'http://127.0.0.1:4510', null],
    [' http://localhost:4510/ ', 'http://localhost:4510', null],
    ['https://api.example.org/', 'https://api.example.org', 'https://api.example.org/*'],
    ['https://api.example.org:8443/relayer/', 'https://api.example.org:8443/relayer', 'https://api.example.org/*'],
  ])('%j is used as %j with permission %j', (typed, baseUrl, permission) => {
    expect(typedUrl(typed)).toMatchObject({ ok: true, baseUrl });
    expect(hostPattern(baseUrl)).toBe(permission);
  });

  it.each([
    ['not an address', 'networkUrlInvalid'],
    ['ftp://example.org', 'networkUrlInvalid'],
    ['https://user:secret@example.org', 'networkUrlInvalid'],
    ['https://example.org/?a=1', 'networkUrlInvalid'],
    ['http://example.org', 'networkUrlPlain'],
    ['http://127.0.0.1.example.org', 'networkUrlPlain'],
  ])('%j is refused with %s', (typed, reason) => {
    expect(typedUrl(typed)).toEqual({ ok: false, reason });
  });
});
