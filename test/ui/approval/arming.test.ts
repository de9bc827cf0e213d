import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Arming, stillMs } from '../../../src/ui/approval/Arming.ts';

let arming: Arming;

beforeEach(() => {
  vi.useFakeTimers();
  arming = new Arming(() => undefined);
  arming.setVisible(true);
  arming.setFocused(true);
  arming.setEndSeen(true);
});

afterEach(() => {
  arming.stop();
  vi.useRealTimers();
});

describe('when the approve button may answer', () => {
  it('holds without content, however long it waits', () => {
    vi.advanceTimersByTime(60_000);
    expect(arming.hold).toBe('content');
  });

  it('holds until everything was still for 700 ms', () => {
    arming.present('a');
    vi.advanceTimersByTime(stillMs - 1);
    expect(arming.hold).toBe('still');
    vi.advanceTimersByTime(1);
    expect(arming.hold).toBeNull();
    expect(stillMs).toBe(700);
  });

  it.each([
    ['other content', () => arming.present('b')],
    ['a change of size', () => arming.disturb()],
  ])('starts the time anew after %s', (_, change) => {
    arming.present('a');
    vi.advanceTimersByTime(stillMs);
    change();
    expect(arming.hold).toBe('still');
    vi.advanceTimersByTime(stillMs - 1);
    expect(arming.hold).toBe('still');
    vi.advanceTimersByTime(1);
    expect(arming.hold).toBeNull();
  });

  it('does not start anew when the same content is presented again', () => {
    arming.present('a');
    vi.advanceTimersByTime(stillMs);
    arming.present('a');
    expect(arming.hold).toBeNull();
  });

  it('holds while the window lacks the focus, and needs the still time after it came back', () => {
    arming.present('a');
    vi.advanceTimersByTime(stillMs);
    arming.setFocused(false);
    vi.advanceTimersByTime(60_000);
    expect(arming.hold).toBe('unfocused');
    arming.setFocused(true);
    expect(arming.hold).toBe('still');
    vi.advanceTimersByTime(stillMs);
    expect(arming.hold).toBeNull();
  });

  it('holds while the page is hidden, and needs the still time after it came back', () => {
    arming.present('a');
    vi.advanceTimersByTime(stillMs);
    arming.setVisible(false);
    vi.advanceTimersByTime(60_000);
    expect(arming.hold).toBe('hidden');
    arming.setVisible(true);
    expect(arming.hold).toBe('still');
  });

  it('holds until the end of the content was in view, and needs the still time after it', () => {
    arming.setEndSeen(false);
    arming.present('a');
    vi.advanceTimersByTime(60_000);
    expect(arming.hold).toBe('end');
    expect(arming.period('a')).toBeNull();
    arming.setEndSeen(true);
    expect(arming.hold).toBe('still');
    vi.advanceTimersByTime(stillMs);
    expect(arming.hold).toBeNull();
  });

  it('gives each armed period a number of its own', () => {
    arming.present('a');
    vi.advanceTimersByTime(stillMs);
    const first = arming.period('a');
    arming.disturb();
    expect(arming.period('a')).toBeNull();
    vi.advanceTimersByTime(stillMs);
    expect(arming.period('a')).not.toBe(first);
  });

  it('answers for the content that was presented and no other', () => {
    arming.present('a');
    vi.advanceTimersByTime(stillMs);
    expect(arming.holdFor('a')).toBeNull();
    expect(arming.holdFor('b')).toBe('content');
    expect(arming.period('b')).toBeNull();
  });
});

describe('a pointer that rests on the button', () => {
  it('has to leave when content appears under it', () => {
    arming.setPointerInside(true);
    arming.present('a');
    vi.advanceTimersByTime(60_000);
    expect(arming.hold).toBe('pointer');
    arming.setPointerInside(false);
    expect(arming.hold).toBe('still');
    vi.advanceTimersByTime(stillMs);
    expect(arming.hold).toBeNull();
  });

  it('has to leave when it came before the first still moment', () => {
    arming.present('a');
    vi.advanceTimersByTime(stillMs - 1);
    arming.setPointerInside(true);
    vi.advanceTimersByTime(60_000);
    expect(arming.hold).toBe('pointer');
  });

  it('may come once the button answers', () => {
    arming.present('a');
    vi.advanceTimersByTime(stillMs);
    arming.setPointerInside(true);
    expect(arming.hold).toBeNull();
  });

  it('has to leave when it came before the first still moment of the next content', () => {
    arming.present('a');
    vi.advanceTimersByTime(stillMs);
    arming.present('b');
    vi.advanceTimersByTime(stillMs - 1);
    arming.setPointerInside(true);
    vi.advanceTimersByTime(60_000);
    expect(arming.hold).toBe('pointer');
  });

  it('has to leave again for the next content', () => {
    arming.present('a');
    vi.advanceTimersByTime(stillMs);
    arming.setPointerInside(true);
    arming.present('b');
    vi.advanceTimersByTime(60_000);
    expect(arming.hold).toBe('pointer');
  });
});
