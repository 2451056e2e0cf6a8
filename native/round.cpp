// See round.hpp. Compiled for the baseline instruction set.
#if !defined(TRIOMINO_ARCH)
#define TRIOMINO_ARCH portable
#endif
#include "round.hpp"

#include <algorithm>

#include "fair.hpp"

namespace triomino {

Round::Round(const Rules& rules, int players, const Dealt& dealt, const Ledger& ledger)
    : rules_(rules),
      engine_(&triomino::engine(rules.tiles)),
      players_(players),
      dealt_(dealt),
      start_ledger_(ledger.started_by(dealt.starter)),
      ledger_(start_ledger_),
      state_(*engine_) {
    rewind();
}

void Round::rewind() {
    Position at;
    at.players = players_;
    at.rack = dealt_.rack;
    at.pool = dealt_.pool;
    at.turn = at.starter = dealt_.starter;
    at.total = start_ledger_.totals;
    at.latched = start_ledger_.latched();
    engine_->load(state_.get(), rules_, at);
    racks_.assign(std::size_t(players_), {});
    for (std::size_t seat = 0; seat < racks_.size(); seat++) {
        const TileList& rack = dealt_.rack[seat];
        racks_[seat].assign(rack.tile.begin(), rack.tile.begin() + rack.count);
    }
    ledger_ = start_ledger_;
    board_.clear();
    playable_ = {engine_->playable(state_.get())};
    plies_.clear();
    end_ = {};
    turn_ = dealt_.starter;
    next_ = draws_ = 0;
}

Position Round::position() const {
    Position at;
    engine_->dump(state_.get(), at);
    return at;
}

std::vector<PlainMove> Round::legal() const {
    if (over()) return {};
    std::vector<PlainMove> moves(MOST_MOVES);
    moves.resize(std::size_t(engine_->legal(state_.get(), rules_, moves.data())));
    return moves;
}

std::vector<Choice> Round::choices() const {
    std::vector<Choice> out;
    for (const PlainMove& move : legal()) {
        const Bonus bonus = rules_.scoring ? engine_->bonus(state_.get(), rules_, move) : Bonus::NONE;
        out.push_back({move, engine_->points(state_.get(), rules_, move), bonus});
    }
    return out;
}

Why Round::play(const PlainMove& move) {
    if (over()) return Why::ROUND_OVER;
    ScoreList scores;
    if (!engine_->play(state_.get(), rules_, move, scores)) return why_not(move);
    Ply ply;
    ply.seat = turn_;
    ply.move = move;
    ply.scores = std::move(scores.move);
    std::vector<int>& rack = racks_[std::size_t(turn_)];
    if (ply.kind() == MoveKind::PLACE) {
        rack.erase(std::find(rack.begin(), rack.end(), int(move.tile)));
        board_.push_back(move);
        playable_.push_back(engine_->playable(state_.get()));
    } else if (ply.kind() == MoveKind::DRAW) {
        ply.tile = dealt_.pool.tile[std::size_t(next_++)];
        rack.push_back(ply.tile);
        ply.passes_on = rules_.draw_ends_turn;
    }
    ledger_ = ledger_.after(ply.scores);
    const Position after = position();
    draws_ = ply.passes_on ? 0 : draws_ + 1;
    turn_ = after.turn;
    if (after.ending) {
        end_ = {EndReason(after.ending), after.end_seats, std::move(scores.settlement)};
        ledger_ = ledger_.after(end_.scores).close(end_.reason, end_.seats);
    }
    plies_.push_back(std::move(ply));
    return Why::NONE;
}

bool Round::undo(int count) {
    if (count < 0 || std::size_t(count) > plies_.size()) return false;
    std::vector<Ply> kept(plies_.begin(), plies_.end() - count);
    rewind();
    for (const Ply& ply : kept) play(ply.move);
    return true;
}

bool Round::abandon(int gave_up) {
    if (over()) return false;
    end_ = {EndReason::ABANDONED, 0, {}};
    ledger_ = ledger_.abandon(gave_up);
    return true;
}

// --- Why a move is refused -----------------------------------------------------------------------

// The engine alone decides what is legal; the reason is looked for once it has refused a move.
Why Round::why_not(const PlainMove& move) const {
    if (over()) return Why::ROUND_OVER;
    const std::vector<PlainMove> moves = legal();
    if (std::find(moves.begin(), moves.end(), move) != moves.end()) return Why::NONE;
    if (MoveKind(move.kind) == MoveKind::PLACE) return why_not_place(move);
    return why_not_other(MoveKind(move.kind));
}

Why Round::why_not_other(MoveKind kind) const {
    const std::vector<PlainMove> moves = legal();
    const auto may = [&](MoveKind wanted) {
        return std::any_of(moves.begin(), moves.end(),
                           [&](const PlainMove& move) { return MoveKind(move.kind) == wanted; });
    };
    const bool opening = board_.empty(), able = may(MoveKind::PLACE), has_pool = pool_size() > 0;
    const Why must_place = may(MoveKind::KEEP) ? Why::MUST_PLACE_OR_KEEP : Why::MUST_PLACE;
    if (opening && (kind != MoveKind::DRAW || !rules_.opening_draw)) return Why::MUST_OPEN;
    switch (kind) {
        case MoveKind::DRAW:
            if (!has_pool) return Why::POOL_EMPTY;
            return draws_ >= rules_.max_draws ? Why::NO_MORE_DRAWS : must_place;
        case MoveKind::PASS:
            if (draws_ >= rules_.max_draws) return Why::MUST_END;
            if (has_pool) return able ? must_place : Why::MUST_DRAW;
            return Why::MUST_PLACE;
        case MoveKind::END:
            if (draws_ < rules_.max_draws) {
                if (may(MoveKind::DRAW)) return Why::MUST_DRAW;
                return able ? must_place : Why::MUST_PASS;
            }
            return rules_.must_place_after_last_draw && able ? Why::MUST_PLACE : Why::MUST_PLACE_OR_KEEP;
        default: {
            const bool fits = draws_ && has_tile(playable_.back(), racks_[std::size_t(turn_)].back());
            return !rules_.may_keep || !fits ? Why::NOTHING_TO_KEEP : Why::MUST_PLACE;
        }
    }
}

Why Round::why_not_place(const PlainMove& place) const {
    const std::vector<int>& rack = racks_[std::size_t(turn_)];
    const auto on_board = [&](const PlainMove& other) { return other.tile == place.tile; };
    if (!has_tile(tiles_of(rules_), place.tile)) return Why::NOT_IN_SET;
    if (std::any_of(board_.begin(), board_.end(), on_board)) return Why::ALREADY_LAID;
    if (std::find(rack.begin(), rack.end(), int(place.tile)) == rack.end()) return Why::NOT_HELD;
    if (board_.empty()) {
        // A tile that may open does so on one cell.
        const auto moves = legal();
        const bool may_open = std::any_of(moves.begin(), moves.end(), [&](const PlainMove& move) {
            return MoveKind(move.kind) == MoveKind::PLACE && move.tile == place.tile;
        });
        return may_open ? Why::NOT_THE_START_CELL : Why::NOT_THE_OPENING_TILE;
    }
    if (draws_ && rules_.drawn_only && place.tile != rack.back()) return Why::NOT_THE_DRAWN_TILE;
    Board board;
    for (const PlainMove& other : board_) board.lay(other);
    return board.why_not(place);
}

// --- A match -------------------------------------------------------------------------------------

Match::Match(const Rules& rules, int players, const MatchSeeds& seeds)
    : rules_(rules), players_(players), seeds_(seeds) {
    rounds_.emplace_back(rules, players, deal(1, Ledger::NONE), Ledger::open(rules, players));
}

Match::Match(const Rules& rules, int players, std::vector<Dealt> deals)
    : rules_(rules), players_(players), deals_(std::move(deals)) {
    rounds_.emplace_back(rules, players, deals_[0], Ledger::open(rules, players));
}

const char* check_deal(const Rules& rules, int players, const Dealt& dealt) {
    Position at;
    at.players = players;
    at.rack = dealt.rack;
    at.pool = dealt.pool;
    at.turn = at.starter = dealt.starter;
    int tiles = dealt.pool.count;
    for (int seat = 0; seat < players; seat++) {
        tiles += dealt.rack[std::size_t(seat)].count;
        if (dealt.rack[std::size_t(seat)].count != rules.racks[std::size_t(players)]) return "a rack has another size";
    }
    if (tiles != rules.tiles) return "some tiles were not dealt";
    const Engine& engine = triomino::engine(rules.tiles);
    return engine.load(StateMemory(engine).get(), rules, at);
}

Dealt Match::deal(int round, int starter) const {
    if (!deals_.empty()) return deals_[std::size_t(round - 1)];
    Dealt out;
    const portable::Digest key =
        portable::round_key(seeds_.server, round, seeds_.players.data(), seeds_.players.size());
    engine(rules_.tiles).deal(rules_, players_, key, starter, out);
    return out;
}

bool Match::next_round() {
    const Ledger& ledger = game().ledger();
    if (!game().over() || ledger.is_over()) return false;
    if (!deals_.empty() && rounds_.size() == deals_.size()) return false;
    const Dealt dealt = deal(int(rounds_.size()) + 1, ledger.next_starter());
    rounds_.emplace_back(rules_, players_, dealt, ledger.next_round());
    return true;
}

}  // namespace triomino
