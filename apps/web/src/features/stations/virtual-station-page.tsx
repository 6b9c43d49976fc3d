import { StationPage } from './station-page.tsx';

export function Page() {
  return <StationPage kind="virtual" />;
}
