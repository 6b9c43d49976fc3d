import type { User } from '@fpay/contract/account';
import { create } from 'zustand';
import { type Draft, isEdited } from './edit.ts';

interface StoredDraft {
  /** The user of the draft, because the next user on this device must not see it. */
  owner: number | null;
  draft: Draft;
}

/** Outside of the page, because choosing an avatar opens another page and returns. */
const useDraftStore = create<StoredDraft>(() => ({ owner: null, draft: {} }));
const nothing: Draft = {};

export function useDraft(user: User): Draft {
  return useDraftStore(({ owner, draft }) => (owner === user.id ? draft : nothing));
}

function draftOf(user: User): Draft {
  const { owner, draft } = useDraftStore.getState();
  return owner === user.id ? draft : nothing;
}

export function change(user: User, changed: Draft): void {
  useDraftStore.setState({ owner: user.id, draft: { ...draftOf(user), ...changed } });
}

export function discardDraft(): void {
  useDraftStore.setState({ owner: null, draft: {} });
}

export function hasUnsavedEdits(user: User): boolean {
  return isEdited(draftOf(user), user);
}
