#pragma once
// The database behind a few threads: the store blocks, coroutines must not.

#include <boost/asio/awaitable.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/thread_pool.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <exception>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "daemon/store/store.h"

namespace flagman::daemon {

class StorePool {
 public:
  /// Connections are made when they are first needed, at most `threads` of them.
  StorePool(std::string connection_string, int threads);

  /// Runs `work(store)` on a thread of the pool and resumes where the caller ran, with its result
  /// or its exception. A store whose work threw StoreUnavailable is thrown away.
  template <typename Work>
  auto run(Work work) -> boost::asio::awaitable<decltype(work(std::declval<Store&>()))> {
    using Result = decltype(work(std::declval<Store&>()));
    namespace asio = boost::asio;
    auto initiate = [this, work = std::move(work)](auto handler) mutable {
      auto executor = asio::get_associated_executor(handler);
      asio::post(threads_,
                 [this, executor, work = std::move(work), handler = std::move(handler)]() mutable {
                   std::exception_ptr trouble;
                   std::unique_ptr<Result> result;
                   try {
                     result = std::make_unique<Result>(with_store(work));
                   } catch (...) {
                     trouble = std::current_exception();
                   }
                   asio::post(executor, [handler = std::move(handler), trouble,
                                         result = std::move(result)]() mutable {
                     handler(trouble, std::move(result));
                   });
                 });
    };
    auto token = asio::use_awaitable;
    auto result = co_await asio::async_initiate<const asio::use_awaitable_t<>,
                                                void(std::exception_ptr, std::unique_ptr<Result>)>(
        std::move(initiate), token);
    co_return std::move(*result);
  }

  /// Waits for what is running.
  void join() { threads_.join(); }

 private:
  template <typename Work>
  auto with_store(Work& work) {
    auto store = take();
    auto result = work(*store);
    give_back(std::move(store));
    return result;
  }

  std::unique_ptr<Store> take();
  void give_back(std::unique_ptr<Store> store);

  std::string connection_string_;
  boost::asio::thread_pool threads_;
  std::mutex mutex_;
  std::vector<std::unique_ptr<Store>> idle_;
};

}  // namespace flagman::daemon
