def draw_map(view, events): return None
