/** Empty on purpose, for experiments. */
export function Page() {
  return null;
}
