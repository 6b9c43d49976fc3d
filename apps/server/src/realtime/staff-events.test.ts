import { StaffMessage } from '@fpay/contract/admin/live';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type GroupMessage, messageFaultOf } from './message.ts';
import { createStaffEvents } from './staff-events.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function setUp() {
  const sent: { group: string; message: GroupMessage }[] = [];
  return { sent, events: createStaffEvents((group, message) => void sent.push({ group, message })) };
}

test('changes of one second are one message, which names each operation once', () => {
  const { sent, events } = setUp();
  for (const id of [7, 8, 7]) events.operationChanged(id);
  vi.advanceTimersByTime(999);
  expect(sent).toEqual([]);
  vi.advanceTimersByTime(1);
  expect(sent).toEqual([
    { group: 'staff', message: { type: 'staff_operations_changed', count: 2, operations: '7,8' } },
  ]);
  vi.advanceTimersByTime(60_000);
  expect(sent).toHaveLength(1);
});

test('a thousand running charges with ten readings each make one short message a second', () => {
  const { sent, events } = setUp();
  for (let second = 0; second < 10; second += 1) {
    for (let id = 1_000_000_000; id < 1_000_001_000; id += 1) events.operationChanged(id);
    vi.advanceTimersByTime(1_000);
  }
  expect(sent).toHaveLength(10);
  for (const { message } of sent) {
    expect(message).toEqual({ type: 'staff_operations_changed', count: 1_000, operations: '' });
  }
});

test('the longest message that names operations may still be sent, and is what the contract says', () => {
  const { sent, events } = setUp();
  for (let id = 0; id < 15; id += 1) events.operationChanged(999_999_999_900 + id);
  for (const list of ['anomalies', 'approvals', 'anomalies'] as const) events.listChanged(list);
  vi.advanceTimersByTime(1_000);
  expect(sent.map(({ message }) => message.type)).toEqual([
    'staff_operations_changed',
    'staff_list_changed',
    'staff_list_changed',
  ]);
  expect(String(sent[0]?.message.operations).split(',')).toHaveLength(15);
  for (const { message } of sent) {
    expect([messageFaultOf(message), StaffMessage.safeParse(message).success]).toEqual([null, true]);
  }
});
