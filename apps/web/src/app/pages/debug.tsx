/** Empty on purpose: a blank sheet to try things on. */
export function Page() {
  return null;
}
