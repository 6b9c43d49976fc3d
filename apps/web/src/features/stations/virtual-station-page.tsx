import { StationScreen } from './station-page.tsx';

export function Page() {
  return <StationScreen kind="virtual" />;
}
