/** The only groups there are: one per user, one per operation, by exact name. */
export type Group = string;

/** A page listens to its user and to the one operation it shows; a token for more is a mistake of ours. */
export const mostGroups = 16;

const groupName = /^(user|operation)-[1-9]\d{0,15}$/;

export function isGroup(name: string): name is Group {
  return groupName.test(name);
}

/** A user's own group is theirs alone; the caller has checked the access to an operation. */
export function mayBeGranted(group: string, user: number): boolean {
  return isGroup(group) && (!group.startsWith('user-') || group === `user-${user}`);
}
