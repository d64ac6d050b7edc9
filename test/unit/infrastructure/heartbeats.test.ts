import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { EventBus } from '#infrastructure/events/event-bus.ts';
import { Heartbeats } from '#infrastructure/time/heartbeats.ts';

describe('heartbeats', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it('occur once a period for each, over one timer for all, spread over time', () => {
    const heart = new Heartbeats(1600);
    const beats: number[] = [];
    const count = (place: number) => beats.filter((beat) => beat === place).length;
    for (const place of [0, 1]) heart.add(() => void beats.push(place));
    expect(vi.getTimerCount()).toBe(1);
    vi.advanceTimersByTime(800);
    heart.add(() => void beats.push(2));
    expect(vi.getTimerCount()).toBe(1);
    vi.advanceTimersByTime(800);
    expect([0, 1, 2].map(count)).toEqual([1, 1, 0]);
    vi.advanceTimersByTime(800);
    expect([0, 1, 2].map(count)).toEqual([1, 1, 1]);
    vi.advanceTimersByTime(16_000);
    expect([0, 1, 2].map(count)).toEqual([11, 11, 11]);
  });

  it('end with their subscriber, and the timer with the last', () => {
    const heart = new Heartbeats(1600);
    const beats: string[] = [];
    const [end, other] = [heart.add(() => void beats.push('one')), heart.add(() => {})];
    end();
    end();
    expect([heart.count, vi.getTimerCount()]).toEqual([1, 1]);
    other();
    expect([heart.count, vi.getTimerCount()]).toEqual([0, 0]);
    vi.advanceTimersByTime(16_000);
    expect(beats).toEqual([]);
  });
});

describe('announcements', () => {
  it('reach all subscribers, once per subscription, until they unsubscribe', () => {
    const heard: string[] = [];
    const eventBus = new EventBus<string>();
    const listener = (text: string) => void heard.push(text);
    const [stop, stopAgain] = [eventBus.listen(listener), eventBus.listen(listener)];
    eventBus.publish('a');
    stop();
    stop();
    eventBus.publish('b');
    stopAgain();
    eventBus.publish('c');
    expect([heard, eventBus.hasListeners]).toEqual([['a', 'a', 'b'], false]);
  });
});
