/** The only groups are one per user, one per operation, one per station and one of staff, with exact names. */
export type Group = string;

/**
 * A page listens to its user and to one operation, or to the stations of one virtual station; a token for more is a bug of
 * ours.
 */
export const mostGroups = 16;

const groupName = /^(staff|(user|operation|station)-[1-9]\d{0,15})$/;

export function isGroup(name: string): name is Group {
  return groupName.test(name);
}

/**
 * A user's group is granted to that user only; the caller has checked the access to an operation, a station and the group of
 * staff.
 */
export function mayBeGranted(group: string, user: number): boolean {
  return isGroup(group) && (!group.startsWith('user-') || group === `user-${user}`);
}
