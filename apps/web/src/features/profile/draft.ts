import type { User } from '@fpay/contract/account';
import { create } from 'zustand';
import { type Draft, isEdited } from './edit.ts';

interface Kept {
  /** Whose draft it is: the next one to sign in on this device must not find it. */
  owner: number | null;
  draft: Draft;
}

/** Outside the page, because choosing an avatar leads through another one and back. */
const useKept = create<Kept>(() => ({ owner: null, draft: {} }));
const nothing: Draft = {};

export function useDraft(user: User): Draft {
  return useKept(({ owner, draft }) => (owner === user.id ? draft : nothing));
}

function draftOf(user: User): Draft {
  const { owner, draft } = useKept.getState();
  return owner === user.id ? draft : nothing;
}

export function change(user: User, changed: Draft): void {
  useKept.setState({ owner: user.id, draft: { ...draftOf(user), ...changed } });
}

export function discardDraft(): void {
  useKept.setState({ owner: null, draft: {} });
}

export function hasUnsavedEdits(user: User): boolean {
  return isEdited(draftOf(user), user);
}
