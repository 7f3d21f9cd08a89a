/* Built where the machine has termbox2.h: `make bench-terminal TERMBOX2=FOLDER`. */
#define TB_IMPL
#include <termbox2.h>
#include "work.h"

static void print(int x, int y, uintattr_t fg, uintattr_t bg, const char *text) { tb_print(x, y, fg, bg, text); }

static void draw(const State *s) {
    static const char *TABS[4] = {" Queue ", " Contacts ", " Timeline ", " Settings "};
    char line[512], right[64];
    tb_clear();
    for (int i = 0, x = 0; i < 4; x += strlen(TABS[i++]))
        print(x, 0, i == 1 ? TB_REVERSE | TB_BOLD : TB_DEFAULT, TB_DEFAULT, TABS[i]);
    print(0, 1, TB_DEFAULT, TB_DEFAULT, "╭─ Contacts 10000 ");
    for (int x = 18; x < WIDTH - 1; x++) tb_set_cell(x, 1, 0x2500, TB_DEFAULT, TB_DEFAULT);
    tb_set_cell(WIDTH - 1, 1, 0x256E, TB_DEFAULT, TB_DEFAULT);
    for (int row = 0; row < PAGE; row++) {
        int i = s->top + row, chosen = i == s->selected, y = 2 + row;
        uintattr_t fg = chosen ? 231 | TB_BOLD : TB_DEFAULT, bg = chosen ? 24 : TB_DEFAULT;
        tb_set_cell(0, y, 0x2502, TB_DEFAULT, TB_DEFAULT);
        tb_set_cell(1, y, chosen ? 0x25B8 : ' ', fg, bg);
        name_of(i, line);
        print(2, y, fg, bg, line);
        snprintf(line, sizeof line, "%-10s", STATUS[i % 4]);
        print(42, y, chosen ? fg : (uintattr_t)COLOR[i % 4], bg, line);
        deadline_of(i, s->t, line);
        print(52, y, fg, bg, line);
        for (int x = 64; x < WIDTH - 1; x++) tb_set_cell(x, y, ' ', fg, bg);
        tb_set_cell(WIDTH - 1, y, 0x2502, TB_DEFAULT, TB_DEFAULT);
    }
    tb_set_cell(0, HEIGHT - 2, 0x2570, TB_DEFAULT, TB_DEFAULT);
    for (int x = 1; x < WIDTH - 1; x++) tb_set_cell(x, HEIGHT - 2, 0x2500, TB_DEFAULT, TB_DEFAULT);
    tb_set_cell(WIDTH - 1, HEIGHT - 2, 0x256F, TB_DEFAULT, TB_DEFAULT);
    snprintf(right, sizeof right, "sel %05d  frame %05d", s->selected, s->frame);
    snprintf(line, sizeof line, "%-*s%s", WIDTH - 22, "j/k move   / search   q quit", right);
    print(0, HEIGHT - 1, TB_DEFAULT, TB_DEFAULT, line);
    tb_present();
}

int main(int argc, char **argv) {
    if (tb_init() != TB_OK) return 1;
    tb_set_output_mode(TB_OUTPUT_256);
    State s = {0};
    int n = storm_of(argc, argv);
    draw(&s);
    if (n) {
        for (int f = 1; f <= n; f++) s.t = s.frame = f, draw(&s);
    } else {
        for (struct tb_event event; tb_poll_event(&event) == TB_OK && event.ch != 'q';) {
            if (event.ch == 'j') step(&s, 1);
            if (event.ch == 'k') step(&s, -1);
            draw(&s);
        }
    }
    tb_shutdown();
}
