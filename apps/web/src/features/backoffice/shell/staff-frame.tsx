import './staff.css';
import { Outlet } from '../../../router/index.ts';
import { useWide } from '../../../ui/hooks/use-wide.ts';
import { useStaffMessages } from '../live.ts';
import { SearchHost } from '../search/search-host.tsx';
import { BottomBar } from './bottom-bar.tsx';
import { Sidebar } from './sidebar.tsx';

/** Around every staff page. It stays mounted between them, so that the navigation keeps its focus and its place. */
export function StaffFrame() {
  const isWide = useWide();
  useStaffMessages();
  return (
    <div className="staff-frame flex min-h-dvh flex-1">
      {isWide && <Sidebar />}
      <div className="flex min-w-0 flex-1 flex-col pb-[calc(3.5rem+env(safe-area-inset-bottom))] lg:pb-0">
        <Outlet />
      </div>
      {!isWide && <BottomBar />}
      <SearchHost />
    </div>
  );
}
