#include "daemon/worker/store_pool.h"

namespace flagman::daemon {

StorePool::StorePool(std::string connection_string, int threads)
    : connection_string_(std::move(connection_string)),
      threads_(static_cast<std::size_t>(threads)) {}

std::unique_ptr<Store> StorePool::take() {
  {
    const std::lock_guard lock{mutex_};
    if (!idle_.empty()) {
      auto store = std::move(idle_.back());
      idle_.pop_back();
      return store;
    }
  }
  return std::make_unique<Store>(connection_string_);
}

void StorePool::give_back(std::unique_ptr<Store> store) {
  const std::lock_guard lock{mutex_};
  idle_.push_back(std::move(store));
}

}  // namespace flagman::daemon
